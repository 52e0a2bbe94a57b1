      * DFHBMSCA: field attributes, colours and highlighting of BMS.
      * Values are the characters of the 3270 codes (CCSID 037) as
      * programs see them after conversion to ISO 8859-1.
       01  DFHBMSCA.
           02  DFHBMPEM  PIC X(1) VALUE X'19'.
           02  DFHBMPNL  PIC X(1) VALUE X'15'.
           02  DFHBMPFF  PIC X(1) VALUE X'0C'.
           02  DFHBMPCR  PIC X(1) VALUE X'0D'.
           02  DFHBMASK  PIC X(1) VALUE '0'.
           02  DFHBMUNP  PIC X(1) VALUE ' '.
           02  DFHBMUNN  PIC X(1) VALUE '&'.
           02  DFHBMPRO  PIC X(1) VALUE '-'.
           02  DFHBMBRY  PIC X(1) VALUE 'H'.
           02  DFHBMDAR  PIC X(1) VALUE '<'.
           02  DFHBMFSE  PIC X(1) VALUE 'A'.
           02  DFHBMPRF  PIC X(1) VALUE '/'.
           02  DFHBMASF  PIC X(1) VALUE '1'.
           02  DFHBMASB  PIC X(1) VALUE '8'.
           02  DFHBMEOF  PIC X(1) VALUE X'80'.
           02  DFHBMCUR  PIC X(1) VALUE X'02'.
           02  DFHBMEC   PIC X(1) VALUE X'82'.
           02  DFHBMFLG  PIC X(1) VALUE X'00'.
               88  DFHERASE  VALUE X'80' X'82'.
               88  DFHCURSR  VALUE X'02' X'82'.
           02  DFHBMDET  PIC X(1) VALUE X'FF'.
           02  DFHBMPSO  PIC X(1) VALUE X'0E'.
           02  DFHBMPSI  PIC X(1) VALUE X'0F'.
           02  DFHSA     PIC X(1) VALUE X'28'.
           02  DFHCOLOR  PIC X(1) VALUE X'42'.
           02  DFHPS     PIC X(1) VALUE X'43'.
           02  DFHHLT    PIC X(1) VALUE X'41'.
           02  DFH3270   PIC X(1) VALUE X'C0'.
           02  DFHVAL    PIC X(1) VALUE X'C1'.
           02  DFHOUTLN  PIC X(1) VALUE X'C2'.
           02  DFHBKTRN  PIC X(1) VALUE X'46'.
           02  DFHALL    PIC X(1) VALUE X'00'.
           02  DFHERROR  PIC X(1) VALUE X'3F'.
           02  DFHDFT    PIC X(1) VALUE X'FF'.
           02  DFHDFCOL  PIC X(1) VALUE X'00'.
           02  DFHBLUE   PIC X(1) VALUE '1'.
           02  DFHRED    PIC X(1) VALUE '2'.
           02  DFHPINK   PIC X(1) VALUE '3'.
           02  DFHGREEN  PIC X(1) VALUE '4'.
           02  DFHTURQ   PIC X(1) VALUE '5'.
           02  DFHYELLO  PIC X(1) VALUE '6'.
           02  DFHNEUTR  PIC X(1) VALUE '7'.
           02  DFHBASE   PIC X(1) VALUE X'00'.
           02  DFHDFHI   PIC X(1) VALUE X'00'.
           02  DFHBLINK  PIC X(1) VALUE '1'.
           02  DFHREVRS  PIC X(1) VALUE '2'.
           02  DFHUNDLN  PIC X(1) VALUE '4'.
           02  DFHMFIL   PIC X(1) VALUE X'04'.
           02  DFHMENT   PIC X(1) VALUE X'02'.
           02  DFHMFE    PIC X(1) VALUE X'06'.
           02  DFHMT     PIC X(1) VALUE X'01'.
           02  DFHMFT    PIC X(1) VALUE X'05'.
           02  DFHMET    PIC X(1) VALUE X'03'.
           02  DFHMFET   PIC X(1) VALUE X'07'.
           02  DFHUNNOD  PIC X(1) VALUE '('.
           02  DFHUNIMD  PIC X(1) VALUE 'I'.
           02  DFHUNNUM  PIC X(1) VALUE 'J'.
           02  DFHUNNUB  PIC X(1) VALUE 'Q'.
           02  DFHUNINT  PIC X(1) VALUE 'R'.
           02  DFHUNNON  PIC X(1) VALUE ')'.
           02  DFHPROTI  PIC X(1) VALUE 'Y'.
           02  DFHPROTN  PIC X(1) VALUE '%'.
           02  DFHDFFR   PIC X(1) VALUE X'00'.
           02  DFHLEFT   PIC X(1) VALUE X'08'.
           02  DFHOVER   PIC X(1) VALUE X'04'.
           02  DFHRIGHT  PIC X(1) VALUE X'02'.
           02  DFHUNDER  PIC X(1) VALUE X'01'.
           02  DFHBOX    PIC X(1) VALUE X'0F'.
           02  DFHSOSI   PIC X(1) VALUE X'01'.
           02  DFHTRANS  PIC X(1) VALUE '0'.
           02  DFHOPAQ   PIC X(1) VALUE X'FF'.
