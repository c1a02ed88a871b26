import RenditionCache
import TestSupport
import Testing

@testable import RenditionCache

@Suite(.timeLimit(.minutes(1))) struct PersistedQueryTests {
    private static let all = AEMFixtures.cases("persisted-query-cases.json")
    private static let readable = all.filter { $0.json["expect"]?["variables"] != nil }
    private static let failing = all.filter { $0.json["expect"]?["variables"] == nil }

    @Test func `the cases are there`() {
        #expect(Self.all.count == 35)
        #expect(Self.readable.count == 28)
    }

    // MARK: Reading

    @Test(arguments: readable) func `a target means its query and variables`(_ test: AEMCase) throws {
        let query = try Self.query(test)
        let expect = try #require(test.json["expect"])
        #expect(query.configuration == expect["config"]?.string)
        #expect(query.name == expect["query"]?.string)
        #expect(Self.declared(query) == expect["variables"])
    }

    @Test(arguments: readable) func `what is written means the same again`(_ test: AEMCase) throws {
        let query = try Self.query(test)
        let again = try PersistedQuery(target: query.target)
        #expect(again == query)
        #expect(query.target.hasSuffix(";") == !query.variables.isEmpty)
        #expect(try PersistedQuery(query.description) == query)
    }

    /// The case's target, and the variables of its body if it is a POST.
    private static func query(_ test: AEMCase) throws -> PersistedQuery {
        var query = try PersistedQuery(target: try #require(test.json["target"]?.string))
        for (name, value) in test.json["body"]?["variables"]?.object ?? [:] {
            query = try query.setting(.init(name, json: value))
        }
        return query
    }

    /// The declared variables with the type that the declaration gives them.
    private static func declared(_ query: PersistedQuery) -> JSONValue {
        let types = AEMFixtures.json("persisted-query-cases.json")["declared"]?[query.name]?.object ?? [:]
        var typed: [String: JSONValue] = [:]
        for variable in query.variables {
            guard let type = types[variable.name]?.string else { continue }
            let isText = ["String", "AssetTransformFormat", "FloatOperator"].contains(where: type.hasPrefix)
            typed[variable.name] = isText ? .string(variable.text) : JSONValue(Array(variable.text.utf8))
            // JSON does not tell 1200 from 1200.0.
            if type == "Float!" { typed[variable.name] = typed[variable.name]?.double.map(JSONValue.double) }
        }
        return .object(typed)
    }

    @Test func `cases that fail at the server are failures of the client`() async throws {
        let statuses = ["pq-29": 200, "pq-30": 200, "pq-31": 404, "pq-32": 404]
        for test in Self.failing where statuses[test.description] != nil {
            let expect = try #require(test.json["expect"])
            let fixture = try #require(expect["fixture"]?.string)
            let status = try #require(expect["status"]?.int)
            let server = try LoopbackOrigin { _ in AEMFixtures.answer(fixture, status: status) }
            let query = try PersistedQuery(target: try #require(test.json["target"]?.string))
            let origin = try aemOrigin(server)
            let failure = await originFailure { () throws(OriginError) in try await origin.run(query) }
            let message = try #require(AEMFixtures.json(fixture)["errors"]?.array?.first?["message"]?.string)
            if status == 404 {
                #expect(failure == .notFound("persisted query \(query.path) (\(message))"), "\(test)")
            } else {
                #expect(failure == .unusable(host: "127.0.0.1", status: 200, detail: message), "\(test)")
            }
        }
    }

    @Test(
        arguments: [("pq-33", .missingPath), ("pq-34", .missingPath), ("pq-35", .badName)]
            as [(String, PersistedQuery.Refusal)]
    )
    func `a target that names no query is refused`(_ id: String, _ refusal: PersistedQuery.Refusal) throws {
        let test = try #require(Self.failing.first { $0.description == id })
        let target = try #require(test.json["target"]?.string)
        #expect(throws: refusal) { try PersistedQuery(target: target) }
    }

    @Test(
        arguments: [
            ("/graphql/list.json/a/b", .badName), ("/graphql/execute.jsonx/a/b", .badName),
            ("/graphql/execute.json/a", .badName), ("/graphql/execute.json/a/b/c", .badName),
            ("/graphql/execute.json/a%2Fb/c", .badName), ("/graphql/execute.json/a/b;x=%zz", .badEscape),
            ("/graphql/execute.json/a/b;x=%FF", .badEscape), ("/graphql/execute.json/a/b;=1", .badVariable("")),
        ] as [(String, PersistedQuery.Refusal)]
    )
    func `other targets are refused`(_ target: String, _ refusal: PersistedQuery.Refusal) {
        #expect(throws: refusal) { try PersistedQuery(target: target) }
    }

    // MARK: Texts

    @Test(arguments: [
        "wknd-shared/adventures-by-activity;activity=Rock Climbing;imageWidth=50",
        "/wknd-shared/adventures-by-activity;activity=Rock Climbing;imageWidth=50;",
        "wknd-shared/adventures-by-activity%3Bactivity%3DRock%20Climbing%3bimageWidth%3D50;",
        "/graphql/execute.json/wknd-shared/adventures-by-activity;activity=Rock%20Climbing;imageWidth=50",
    ])
    func `a configuration may spell a query in every way`(_ text: String) throws {
        let query = try PersistedQuery(text)
        #expect(query["activity"] == "Rock Climbing" && query["imageWidth"] == "50" && query["x"] == nil)
        #expect(
            query.target == "/graphql/execute.json/wknd-shared/adventures-by-activity"
                + "%3Bactivity%3DRock%20Climbing%3BimageWidth%3D50;"
        )
    }

    @Test func `a percent sign in a configured value is a percent sign`() throws {
        let query = try PersistedQuery("a/b;x=100%;y=%41")
        #expect(query["x"] == "100%" && query["y"] == "%41")
        #expect(query.target == "/graphql/execute.json/a/b%3Bx%3D100%25%3By%3D%2541;")
    }

    @Test func `the canonical text does not depend on the order`() throws {
        let one = try PersistedQuery("a/b;imageWidth=50;imageQuality=100")
        let other = try PersistedQuery("a/b;imageQuality=100;imageWidth=50")
        #expect(one.canonicalText == other.canonicalText)
        #expect(one.canonicalText == "a/b;imageQuality=100;imageWidth=50")
        #expect(one.target != other.target)
    }

    @Test func `values are written as AEM reads them`() throws {
        let list = JSONValue.array([.string("a;\"b\\"), .int(1), .double(0.5), .bool(true), .null])
        let query = try PersistedQuery(
            configuration: "a",
            name: "b",
            variables: [
                .init("text", "it's"), .init("number", 7), .init("ratio", 1.5), .init("flag", false),
                .init("list", json: list), .init("object", json: .object(["width": .int(2), "a\n": .string("é")])),
            ]
        )
        #expect(
            query.variables.map(\.text) == [
                "it's", "7", "1.5", "false", #"["a\u003B\"b\\",1,0.5,true,null]"#, #"{"a\u000a":"é","width":2}"#,
            ]
        )
        #expect(JSONValue(Array((query["list"] ?? "").utf8)) == list)
        #expect(try PersistedQuery(target: query.target) == query)
    }

    @Test func `what AEM cannot be told is refused`() throws {
        #expect(throws: PersistedQuery.Refusal.badVariable("x")) {
            try PersistedQuery(configuration: "a", name: "b", variables: [.init("x", "1;2")])
        }
        #expect(throws: PersistedQuery.Refusal.badVariable("x=y")) {
            try PersistedQuery("a/b").setting(.init("x=y", 1))
        }
        #expect(throws: PersistedQuery.Refusal.badName) { try PersistedQuery(configuration: "..", name: "b") }
        let many = (0...64).map { PersistedQuery.Variable("v\($0)", $0) }
        #expect(throws: PersistedQuery.Refusal.tooManyVariables(limit: 64)) {
            try PersistedQuery(configuration: "a", name: "b", variables: many)
        }
    }

    // MARK: The list of an instance

    @Test func `an instance tells its queries`() async throws {
        let server = try LoopbackOrigin { _ in AEMFixtures.answer("list-persisted-queries.json") }
        let list = try await aemOrigin(server).persistedQueries(of: "wknd-shared")
        #expect(server.requests.map(\.target) == ["/graphql/list.json/wknd-shared"])
        #expect(list.contains { $0.query.path == "wknd-shared/adventures-all" && $0.text == "{ __typename }" })
        #expect(list.count == 9)
    }

    @Test func `a list of anything else is unusable`() async throws {
        let server = try LoopbackOrigin { _ in .json("{}") }
        let origin = try aemOrigin(server)
        let failure = await originFailure { () throws(OriginError) in
            try await origin.persistedQueries(of: "wknd-shared")
        }
        #expect(failure == .unusable(host: "127.0.0.1", status: 200, detail: "JSON without a list of queries"))
    }
}
