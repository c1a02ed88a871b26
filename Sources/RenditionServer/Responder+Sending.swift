import CHTTPServer
import RenditionCache

extension Responder {
    /// Answers with a picture, as far as the request's conditions and range leave something to send.
    func send(_ response: ReadyResponse, _ connection: OpaquePointer, _ client: Connection) -> MHD_Result {
        let rendition = response.picture.rendition
        guard !response.picture.isPlaceholder else { return queue(response.whole, 200, connection, client) }
        let verdict = client.head.conditions.verdict(
            entityTag: rendition.entityTag,
            modifiedSeconds: rendition.modifiedSeconds
        )
        if verdict == .notModified {
            service.metrics.add(.notModified)
            // The same object: a 304's Content-Length, if there is one, must be the picture's (RFC 9110 §8.6), and the library
            // always writes one.
            return queue(response.whole, 304, connection, client)
        }
        // A range means something to GET alone (RFC 9110 §14.2).
        guard let range = client.head.range, client.head.method == .get else {
            return queue(response.whole, 200, connection, client)
        }
        let part = ByteRange.verdict(
            range,
            ifRange: client.head.ifRange,
            count: response.content.count,
            entityTag: rendition.entityTag,
            modifiedSeconds: rendition.modifiedSeconds
        )
        switch part {
        case .whole: return queue(response.whole, 200, connection, client)
        case .unsatisfiable:
            let refusal = Refusal.rangeNotSatisfiable(byteCount: response.content.count)
            return refuse(refusal, response.picture.query.manner, connection, client)
        case .part(let bytes):
            let extent = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(response.content.count)"
            let fields = response.fields + [HeaderField("Content-Range", extent)]
            return queue(PreparedResponse(fields, response.content, range: bytes), 206, connection, client)
        }
    }

    /// Answers with a document or an error.
    func send(_ answer: Answer, _ connection: OpaquePointer, _ client: Connection) -> MHD_Result {
        var answer = answer
        answer.closesConnection = isDraining
        var status = answer.status
        if status == 200, let tag = answer.entityTag,
            client.head.conditions.verdict(entityTag: tag, modifiedSeconds: nil) == .notModified
        {
            service.metrics.add(.notModified)
            status = 304
        }
        return queue(PreparedResponse(answer), status, connection, client)
    }

    /// Answers that there is nothing.
    func refuse(
        _ refusal: Refusal,
        _ manner: Manner,
        _ connection: OpaquePointer,
        _ client: Connection
    ) -> MHD_Result {
        log(refusal)
        return send(ErrorResponse.answer(refusal, manner), connection, client)
    }

    /// Tells operators of what is not the client's fault; targets are left out, they may carry a token.
    func log(_ refusal: Refusal) {
        let status = ErrorResponse.verdict(refusal).status
        guard status >= 500, refusal != .rendition(.cancelled) else { return }
        log(.warning, "request failed", ["status": status, "reason": String(describing: refusal)])
    }

    /// Hands a response over and counts it; without one the connection is closed.
    private func queue(
        _ response: PreparedResponse?,
        _ status: Int,
        _ connection: OpaquePointer,
        _ client: Connection
    ) -> MHD_Result {
        let metrics = service.metrics
        metrics.add(.requests)
        switch status {
        case 400...499: metrics.add(.clientErrors)
        case 500...: metrics.add(.serverErrors)
        case 200..<300 where client.head.method == .get: metrics.add(.responseBytes, response?.byteCount ?? 0)
        default: break
        }
        return response?.queue(on: connection, status: status) ?? .NO
    }
}
