      * Documents by number: in comes a case, out come code, length and
      * document.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. DOCS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  Doc PIC X(400).
       01  Small PIC X(9) VALUE ALL '*'.
       01  N PIC S9(9) COMP.
       01  GRP.
           05 Ac-No PIC AA9999 VALUE 'SX1234'.
           05 More.
              10 Stuff PIC S99V9 OCCURS 2.
           05 SSN PIC 999/99/9999 VALUE '987-65-4321'.
           05 Again REDEFINES SSN PIC X(11).
           05 FILLER PIC X(3) VALUE 'zzz'.
       01  Numbers.
           05 P PIC S9(5)V99 COMP-3 VALUE -12.34.
           05 P-X REDEFINES P PIC X(4).
           05 B PIC 9(4) COMP VALUE 42.
           05 B5 PIC S9(4) COMP-5 VALUE 32000.
           05 Z PIC 9(3) VALUE 0.
           05 M PIC S9(3) SIGN LEADING SEPARATE VALUE -7.
           05 F1 COMP-1 VALUE 1.5.
           05 F2 COMP-2 VALUE -0.25.
           05 E PIC ZZ9.99- VALUE '  1.50-'.
           05 PP PIC 9(2)PP VALUE 1200.
           05 R PIC X(5) JUSTIFIED.
       01  Orders.
           05 Cnt PIC 9(2) VALUE 2.
           05 Flag PIC X VALUE 'Y'.
              88 Flag-On VALUE 'Y' 'J'.
           05 Opt PIC X VALUE 'N'.
           05 Ord OCCURS 0 TO 5 DEPENDING ON Cnt.
              10 Num PIC 9(3).
              10 Txt PIC X(6).
              10 Qty PIC 9(2) OCCURS 3.
       01  Marks.
           05 3rd PIC X(8) VALUE 'a"b\c<&>'.
           05 XmlTag PIC X(3) VALUE SPACES.
       01  I PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHICH PIC X(2).
           05 CODE-OUT PIC -(5)9.
           05 LENGTH-OUT PIC -(5)9.
           05 DOC-OUT PIC X(400).
       PROCEDURE DIVISION.
       MAIN-1.
           MOVE SPACES TO Doc.
           MOVE 7.8 TO Stuff(1).
           MOVE -9 TO Stuff(2).
           MOVE ' ab' TO R.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > Cnt
              COMPUTE Num(I) = I * 10
              MOVE 'text' TO Txt(I)
              MOVE 0 TO Qty(I 1) Qty(I 3)
              MOVE I TO Qty(I 2)
           END-PERFORM.
           MOVE 0 TO N.
           EVALUATE WHICH
              WHEN 'J1' JSON GENERATE Doc FROM GRP COUNT N
              WHEN 'J2'
                 JSON GENERATE Doc FROM GRP COUNT IN N
                   NAME OF GRP IS OMITTED Ac-No IS 'account "no"'
                   SUPPRESS SSN Stuff OF More
                 END-JSON
              WHEN 'J3' JSON GENERATE Doc FROM Numbers COUNT N
              WHEN 'J4'
                 JSON GENERATE Doc FROM Orders COUNT IN N
                   SUPPRESS EVERY NUMERIC WHEN ZERO Txt WHEN SPACES
                   CONVERTING Flag TO JSON BOOLEAN USING Flag-On
                      ALSO Opt TO BOOL USING 'Y'
                 END-JSON
              WHEN 'J5'
                 MOVE 0 TO Cnt
                 JSON GENERATE Doc FROM Orders COUNT IN N
              WHEN 'J6' JSON GENERATE Doc FROM Ord(2) COUNT IN N
              WHEN 'J7' JSON GENERATE Doc FROM Marks COUNT IN N
              WHEN 'J8'
                 IF N = 0
                    JSON GENERATE Small FROM GRP COUNT IN N
                      ON EXCEPTION
                         CALL 'NOWHERE' ON EXCEPTION
                            MOVE JSON-CODE TO I
                         END-CALL
                         IF I = 1 MOVE 'TOO SMALL' TO Doc
                         ELSE MOVE 'OTHER' TO Doc
                      NOT ON EXCEPTION
                         MOVE 'FITS' TO Doc
                 ELSE
                    MOVE 'WRONG BRANCH' TO Doc
                 END-IF
                 MOVE Small TO Doc (11:)
              WHEN 'J9'
                 JSON GENERATE Doc FROM Ac-No
                   NOT ON EXCEPTION MOVE JSON-CODE TO N
                   IF N = 0 MOVE '+' TO Doc(30:1) END-IF
                 END-JSON
              WHEN 'JA'
                 JSON GENERATE Doc FROM Orders COUNT IN N
                   SUPPRESS Ord OF Orders Cnt Flag Opt
              WHEN 'JB'
                 MOVE SPACES TO P-X
                 JSON GENERATE Doc FROM Numbers
              WHEN 'X1' XML GENERATE Doc FROM GRP COUNT IN N
              WHEN 'X2'
                 XML GENERATE Doc FROM Orders COUNT N WITH ATTRIBUTES
                   TYPE OF Flag IS ELEMENT
                   SUPPRESS EVERY NUMERIC ATTRIBUTE WHEN ZERO
                            Qty WHEN ZERO OR LOW-VALUES
                   ON EXCEPTION MOVE 'BAD' TO Doc
                 END-XML
              WHEN 'X3'
                 XML GENERATE Doc FROM Marks COUNT N
                   WITH ENCODING 1208 XML-DECLARATION
                   NAMESPACE IS 'http://a.b/c'
                   NAMESPACE-PREFIX 'q' NAME XmlTag IS 'tag'
              WHEN 'X4'
                 MOVE LOW-VALUE TO XmlTag (1:1)
                 MOVE 'A' TO XmlTag (2:1)
                 XML GENERATE Doc FROM XmlTag COUNT N
              WHEN 'X5' XML GENERATE Small FROM GRP COUNT N
           END-EVALUATE.
           IF WHICH (1:1) = 'J' MOVE JSON-CODE TO CODE-OUT
           ELSE MOVE XML-CODE TO CODE-OUT.
           MOVE N TO LENGTH-OUT.
           MOVE Doc TO DOC-OUT.
           EXEC CICS RETURN END-EXEC.
