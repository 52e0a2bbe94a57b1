      *> A main program of a job: no CALL is active.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MAINPGM.
       PROCEDURE DIVISION.
           EXIT PROGRAM.
           DISPLAY 'MAIN GOES ON'.
           CALL 'CALLED'.
           CALL 'CALLED'.
           EXIT PROGRAM.
           DISPLAY 'MAIN ENDS'.
           GOBACK.
