       IDENTIFICATION DIVISION.
       PROGRAM-ID. ROUTER.
      * Is told of what was started; what it says has no effect.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-NOTE.
           05 NOTE-FUNC PIC X(1).
           05 NOTE-TYPE PIC X(1).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-SYSID PIC X(4).
           05 FILLER PIC X(1) VALUE SPACE.
           05 NOTE-TRAN PIC X(4).
       LINKAGE SECTION.
           COPY DFHDYPDS.
       PROCEDURE DIVISION.
           MOVE DYRFUNC TO NOTE-FUNC.
           MOVE DYRTYPE TO NOTE-TYPE.
           MOVE DYRSYSID TO NOTE-SYSID.
           MOVE DYRTRAN TO NOTE-TRAN.
           EXEC CICS WRITEQ TS QUEUE('NOTES') FROM(WS-NOTE)
               LENGTH(12) END-EXEC.
           MOVE 'NODE' TO DYRSYSID.
           MOVE 8 TO DYRRETC.
           EXEC CICS RETURN END-EXEC.
