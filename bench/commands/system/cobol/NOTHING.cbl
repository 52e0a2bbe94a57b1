      * A subprogram that does nothing.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NOTHING.
       PROCEDURE DIVISION.
           GOBACK.
