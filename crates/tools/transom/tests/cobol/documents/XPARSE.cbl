      * XML PARSE: events as lines; what the second byte says is done.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. XPARSE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  DOC PIC X(200).
       01  REST PIC X(200).
       01  AT-POS PIC 9(4) COMP.
       01  NUM PIC 9(5).
       01  EDITED PIC ZZZZ9.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHICH PIC XX.
           05 OUT-CODE PIC -9(9).
           05 OUT-SEEN PIC X(4).
           05 TEXT-AREA PIC X(1000).
       PROCEDURE DIVISION.
       MAIN-PART.
           MOVE TEXT-AREA TO DOC.
           MOVE TEXT-AREA(201:200) TO REST.
           MOVE SPACES TO TEXT-AREA.
           MOVE 'NONE' TO OUT-SEEN.
           MOVE 1 TO AT-POS.
           IF WHICH(1:1) = 'U'
             XML PARSE DOC WITH ENCODING 1208
               PROCESSING PROCEDURE IS EVENTS THRU EVENTS-END
             END-XML
           ELSE
             XML PARSE DOC PROCESSING PROCEDURE EVENTS THRU EVENTS-END
               ON EXCEPTION MOVE 'EXC' TO OUT-SEEN
               NOT ON EXCEPTION MOVE 'GOOD' TO OUT-SEEN
             END-XML
           END-IF.
           MOVE XML-CODE TO OUT-CODE.
           EXEC CICS RETURN END-EXEC.
       EVENTS.
           STRING XML-EVENT DELIMITED BY SPACE '=' DELIMITED BY SIZE
             XML-TEXT DELIMITED BY SIZE
             INTO TEXT-AREA POINTER AT-POS.
           IF XML-NAMESPACE NOT = SPACES
             STRING '[' XML-NAMESPACE-PREFIX ' ' XML-NAMESPACE ']'
               DELIMITED BY SIZE INTO TEXT-AREA POINTER AT-POS
           END-IF.
           IF FUNCTION LENGTH(XML-TEXT) > 99 OR
              LENGTH OF XML-TEXT > 99 OR XML-INFORMATION = 2
             STRING '..' DELIMITED BY SIZE
               INTO TEXT-AREA POINTER AT-POS
           END-IF.
           STRING '|' DELIMITED BY SIZE INTO TEXT-AREA POINTER AT-POS.
           EVALUATE TRUE
             WHEN XML-EVENT = 'START-OF-ELEMENT' AND XML-TEXT = 'stop'
               MOVE -1 TO XML-CODE
             WHEN XML-EVENT = 'START-OF-ELEMENT' AND XML-TEXT = 'bad'
               MOVE 5 TO XML-CODE
             WHEN XML-EVENT = 'CONTENT-CHARACTERS'
               IF XML-TEXT IS NUMERIC
                 MOVE XML-TEXT TO NUM
                 ADD 1 TO NUM
                 MOVE NUM TO EDITED
                 STRING EDITED '|' DELIMITED BY SIZE
                   INTO TEXT-AREA POINTER AT-POS
               END-IF
               IF XML-TEXT(1:1) = 'L'
                 EXEC CICS LINK PROGRAM('XINNER') END-EXEC
               END-IF
             WHEN XML-EVENT = 'END-OF-INPUT' AND REST NOT = SPACES
               MOVE REST TO DOC
               MOVE SPACES TO REST
               MOVE 1 TO XML-CODE
             WHEN XML-EVENT = 'EXCEPTION'
               MOVE 0 TO XML-CODE
           END-EVALUATE.
       EVENTS-END.
           EXIT.
