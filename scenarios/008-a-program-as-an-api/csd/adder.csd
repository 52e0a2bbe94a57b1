* Local adapters run their programs under BBO#.
DEFINE TRANSACTION(BBO#) GROUP(ADDER) PROGRAM(DFHMIRS)
