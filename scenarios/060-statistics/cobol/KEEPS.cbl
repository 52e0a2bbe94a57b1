       IDENTIFICATION DIVISION.
       PROGRAM-ID. KEEPS.
      * Started by a trigger; leaves the records where they are.
       PROCEDURE DIVISION.
       MAIN-LINE.
           GOBACK.
