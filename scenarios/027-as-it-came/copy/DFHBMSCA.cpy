      * A transfer has changed the bytes that are no characters.
       01  DFHBMSCA.
           02  DFHBMBRY  PIC X VALUE 'H'.
           02  DFHBMEOF  PIC X VALUE '?'.
