       IDENTIFICATION DIVISION.
       PROGRAM-ID. PASSESX.
      * INPUTMSG of XCTL: for the next RECEIVE of the program it goes to,
      * in place of the terminal's input, which comes after it.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  MSG PIC X(8) VALUE 'TOXCTL'.
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS XCTL PROGRAM('TAKESX')
                INPUTMSG(MSG) INPUTMSGLEN(6) END-EXEC.
