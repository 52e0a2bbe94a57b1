      * JSON PARSE, a case for each first two bytes of the area.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. JPARSE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  DOC PIC X(300).
       01  I PIC 9(4) COMP.
       01  SHOW-N PIC -(5)9.
       01  SHOW-S PIC 9(4).
       01  G.
           05 H.
              10 A PIC X(10).
              10 3-D PIC 9.
              10 C-C PIC X(10).
       01  SOME-DATA.
           05 MSG OCCURS 3.
              10 VER USAGE COMP-1.
              10 UID PIC 9999 USAGE DISPLAY.
              10 TXT PIC X(8).
       01  N-MSG PIC 9.
       01  ODO-DATA.
           05 MSG OCCURS 0 TO 5 DEPENDING ON N-MSG.
              10 UID PIC 9999.
              10 SUB PIC S9 OCCURS 2.
       01  NUMBERS.
           05 P PIC S9(5)V99 COMP-3.
           05 B PIC S9(4) COMP.
           05 B5 PIC S9(4) COMP-5.
           05 Z PIC 9(3)V9.
           05 F2 COMP-2.
           05 E PIC ZZ,ZZ9.99-.
           05 XX PIC X(4).
           05 JR PIC X(4) JUSTIFIED RIGHT.
           05 ED PIC XX/XX.
           05 PP PIC 9(3)PP.
       01  FLAGS.
           05 F-1 PIC X.
              88 F-ON VALUE 'Y' FALSE 'N'.
           05 F-A PIC X.
              88 A-YES VALUE 'J'.
              88 A-NO VALUE 'N'.
           05 F-L PIC X(3).
       01  NULL-DATA.
           05 N-A PIC 9(3).
           05 N-B PIC X(3).
           05 N-B-IS PIC X.
              88 B-NULL VALUE 'Y' FALSE 'N'.
           05 N-F PIC X.
              88 F-YES VALUE '+' FALSE '-'.
           05 N-G.
              10 N-H PIC X.
           05 N-T OCCURS 2.
              10 N-C PIC X(2).
              10 N-C-IS PIC X.
              10 N-E OCCURS 2.
                 15 N-D PIC 9.
                 15 N-D-IS PIC X.
                    88 D-NULL VALUE '0'.
                    88 D-THERE VALUE '1'.
       01  WIDE PIC N(300) USAGE NATIONAL.
       01  CCSID PIC 9(5) VALUE 1140.
       01  ACT.
           05 TOPTABLE OCCURS 3.
              10 B1 OCCURS 2.
                 15 C1.
                    20 M1 PIC 9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHICH PIC XX.
           05 OUT-CODE PIC -999.
           05 OUT-STATUS PIC 9(4).
           05 OUT-SEEN PIC X(4).
           05 TEXT-AREA PIC X(400).
       PROCEDURE DIVISION.
           MOVE TEXT-AREA TO DOC.
           MOVE SPACES TO TEXT-AREA.
           MOVE 'NONE' TO OUT-SEEN.
           INITIALIZE G SOME-DATA NUMBERS FLAGS ACT.
           MOVE ALL '*' TO NULL-DATA.
           EVALUATE WHICH
             WHEN '01'
               JSON PARSE DOC INTO G NAME OF 3-D IS '3_'
                 ON EXCEPTION MOVE 'EXC' TO OUT-SEEN
                 NOT ON EXCEPTION MOVE 'GOOD' TO OUT-SEEN
               END-JSON
               MOVE G TO TEXT-AREA
             WHEN '02'
               JSON PARSE DOC INTO SOME-DATA
               MOVE 1 TO I
               PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3
                 COMPUTE N-MSG = VER OF SOME-DATA (I)
                 STRING N-MSG UID OF SOME-DATA (I)
                   TXT OF SOME-DATA (I) DELIMITED BY SIZE
                   INTO TEXT-AREA ((I - 1) * 20 + 1: 20)
               END-PERFORM
             WHEN '03'
               MOVE 4 TO N-MSG
               INITIALIZE ODO-DATA
               JSON PARSE DOC INTO ODO-DATA WITH DETAIL END-JSON
               PERFORM VARYING I FROM 1 BY 1 UNTIL I > N-MSG
                 STRING UID OF ODO-DATA (I) SUB (I 1) SUB (I 2)
                   DELIMITED BY SIZE INTO
                   TEXT-AREA ((I - 1) * 10 + 1: 10)
               END-PERFORM
             WHEN '04'
               JSON PARSE DOC INTO NUMBERS NAME NUMBERS IS OMITTED
                 SUPPRESS Z
                 ON EXCEPTION MOVE 'EXC' TO OUT-SEEN
               END-JSON
               MOVE P TO SHOW-N MOVE SHOW-N TO TEXT-AREA(1:6)
               MOVE E TO TEXT-AREA(8:10)
               MOVE B TO SHOW-N MOVE SHOW-N TO TEXT-AREA(19:6)
               MOVE B5 TO SHOW-N MOVE SHOW-N TO TEXT-AREA(26:6)
               MOVE Z TO SHOW-N MOVE SHOW-N TO TEXT-AREA(33:6)
               COMPUTE SHOW-N = F2 * 1000
               MOVE SHOW-N TO TEXT-AREA(40:6)
               MOVE XX TO TEXT-AREA(47:4)
               MOVE JR TO TEXT-AREA(52:4)
               MOVE ED TO TEXT-AREA(57:5)
               MOVE PP TO SHOW-N MOVE SHOW-N TO TEXT-AREA(63:6)
               COMPUTE SHOW-N = P * 100
               MOVE SHOW-N TO TEXT-AREA(70:6)
             WHEN '05'
               JSON PARSE DOC INTO FLAGS
                 CONVERTING F-1 FROM JSON BOOLEAN USING F-ON
                 ALSO F-A FROM JSON BOOL USING A-YES AND A-NO
                 ALSO F-L FROM JSON BOOLEAN USING 'yes' AND 'no '
               MOVE FLAGS TO TEXT-AREA
             WHEN '06'
               JSON PARSE DOC INTO B1(2) NAME B1 IS OMITTED
               MOVE ACT TO TEXT-AREA
             WHEN '07'
               JSON PARSE DOC INTO TOPTABLE(3) NAME OF M1 IS 'm+'
               MOVE ACT TO TEXT-AREA
             WHEN '08'
               JSON PARSE DOC INTO NULL-DATA
                 IGNORING JSON NULL FOR N-A ALSO NULL FOR N-G
                 CONVERTING N-B FROM JSON NULL USING SPACES
                 ALSO N-F FROM JSON BOOLEAN USING F-YES
                 ALSO N-F FROM NULL USING LOW-VALUES
                 ALSO N-D FROM NULL ZERO
               INSPECT NULL-DATA REPLACING ALL LOW-VALUE BY '_'
               MOVE NULL-DATA TO TEXT-AREA
             WHEN '09'
               JSON PARSE DOC INTO NULL-DATA
                 IGNORING NULL FOR ALL
                 INDICATING N-B IS JSON NULL USING B-NULL
                 ALSO N-C IS NULL USING 'Y' AND 'N' IN N-C-IS OF N-T
                 ALSO N-D NULL USING D-NULL AND D-THERE
                 ALSO N-F IS JSON NULL USING 'Y' 'N' IN N-H
                 CONVERTING N-F FROM JSON BOOLEAN USING F-YES
                 ENCODING CCSID
                 ON EXCEPTION MOVE 'EXC' TO OUT-SEEN
               END-JSON
               MOVE NULL-DATA TO TEXT-AREA
             WHEN '10'
               MOVE FUNCTION NATIONAL-OF(DOC) TO WIDE
               JSON PARSE WIDE INTO G NAME OF 3-D IS '3_'
               MOVE G TO TEXT-AREA
             WHEN '11'
               JSON PARSE DOC INTO A ENCODING FROM CODEPAGE
                 ON EXCEPTION MOVE 'EXC' TO OUT-SEEN
               END-JSON
               MOVE A TO TEXT-AREA
             WHEN '12'
               MOVE 939 TO CCSID
               JSON PARSE DOC INTO A ENCODING CCSID
                 ON EXCEPTION MOVE 'EXC' TO OUT-SEEN
               END-JSON
             WHEN '13'
               JSON PARSE DOC INTO N-T(2)
                 INDICATING N-D JSON NULL USING D-NULL AND D-THERE
               MOVE NULL-DATA TO TEXT-AREA
           END-EVALUATE.
           MOVE JSON-CODE TO OUT-CODE.
           MOVE JSON-STATUS TO OUT-STATUS.
           EXEC CICS RETURN END-EXEC.
