import RenditionCache
import Testing

@Suite struct OCMQueryTests {
    @Test(
        arguments: [
            (7, .day, 0, "2023-03-01"), (7, .seconds, 0, "2023-03-01T08:00:07"),
            (7.495, .milliseconds, 0, "2023-03-01T08:00:07.495"), (7, .zoned, 19_800, "2023-03-01T13:30:07.000+05:30"),
            (7, .zoned, -28_800, "2023-03-01T00:00:07.000-08:00"), (7, .zoned, 0, "2023-03-01T08:00:07.000+00:00"),
            (7, .day, -28_808, "2023-02-28"),
        ] as [(Double, OCMDate.Spelling, Int, String)]
    )
    func `a date is written in its zone`(_ second: Double, _ spelling: OCMDate.Spelling, _ offset: Int, _ text: String)
    {
        let date = OCMDate(
            secondsSince1970: 1_677_657_600 + second,
            utcOffsetSeconds: offset,
            spelling: spelling
        )
        #expect(OCMQuery.atLeast("createdDate", date).text == #"createdDate ge "\#(text)""#)
    }

    @Test(arguments: [(7.0, "7.0"), (1e21, "1e+21"), (1e-7, "1e-07"), (-0.5, "-0.5")])
    func `a number is written so that it reads back`(_ number: Double, _ text: String) {
        #expect(OCMQuery.below("fields.price", number).text == #"fields.price lt "\#(text)""#)
    }

    @Test func `anything but a value has its word`() {
        #expect(OCMQuery.differs("language", "en").text == #"language ne "en""#)
        #expect(OCMQuery.above("fields.a", 1).text == #"fields.a gt "1""#)
        let group = OCMQuery.equals("a", 1).or(.equals("b", 2), grouped: true)
        #expect(group.and(.anyOf("c", ["x"])).text == #"((a eq "1" or b eq "2") and c eq "x")"#)
    }

    @Test(arguments: [#"a" or type eq "Secret"#, #"""#, #"say "hello""#])
    func `a value with a double quote is a problem, not another condition`(_ value: String) throws {
        let query = OCMQuery.equals("type", "Article").and(.startsWith("name", value)).or(.equals("a", 1))
        let problem = try #require(query.problem)
        #expect(problem == .badValue(parameter: "q", value: value, expected: "values without a double quote"))
        #expect(OCMQuery.anyOf("name", ["a", value]).problem == problem)
        #expect(OCMQuery.raw(value).problem == nil, "who writes raw text knows")
    }

    @Test func `a list of no values is a problem`() {
        #expect(OCMQuery.anyOf("id", [String]()).problem != nil)
        #expect(OCMQuery.equals("a", 1).and(.anyOf("id", [String]())).problem != nil)
        #expect(OCMQuery.anyOf("id", ["a"]).problem == nil)
    }
}
