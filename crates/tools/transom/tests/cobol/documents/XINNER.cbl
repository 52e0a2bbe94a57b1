      * An XML PARSE of its own, in the middle of another program's.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. XINNER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  DOC PIC X(20) VALUE '<in>ner</in>'.
       PROCEDURE DIVISION.
       MAIN-PART.
           XML PARSE DOC PROCESSING PROCEDURE EVENTS.
           GOBACK.
       EVENTS.
           IF XML-EVENT = 'CONTENT-CHARACTERS' MOVE -1 TO XML-CODE.
