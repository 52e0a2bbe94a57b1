000100 IDENTIFICATION DIVISION.                                         LIT00010
000200 PROGRAM-ID. LITERALS.                                            LIT00020
000300 DATA DIVISION.                                                   LIT00030
000400 WORKING-STORAGE SECTION.                                         LIT00040
000500 01  WS-LONG            PIC X(120) VALUE 'THIS LITERAL GOES ON IN LIT00050
000600-    'THE NEXT LINE WITH EXEC CICS RETURN END-EXEC'.              LIT00060
000700 01  WS-TEXT            PIC X(30).                                LIT00070
000800 PROCEDURE DIVISION.                                              LIT00080
000900     DISPLAY 'EXEC CICS RETURN END-EXEC' UPON CONSOLE.            LIT00090
001000D    DISPLAY 'A LINE NOBODY COMPILES.                             LIT00100
001100     MOVE X'C1C2' TO WS-TEXT                                      LIT00110
001200     EXEC CICS ENTER TRACENUM(100) FROM(WS-LONG)                  LIT00120
001300          FROMLENGTH(LENGTH OF WS-LONG - 20) RESOURCE('TRACE')    LIT00130
001400     END-EXEC                                                     LIT00140
001500     EXEC CICS RETURN END-EXEC.                                   LIT00150
