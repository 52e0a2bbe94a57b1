//! A loaded module as the memory sees it: code, writable storage, snapshot.

use std::ffi::{CStr, c_int, c_void};

/// From this size on the snapshot is a mapping that the kernel renews page by page; below, a copy
/// is faster (measured between 64 KB and 1 MB).
const REMAP_BYTES: usize = 256 * 1024;
const PAGE: usize = 4096;

/// Segments of one loaded object.
#[derive(Debug, Default)]
pub(crate) struct Image {
    low: usize,
    high: usize,
    text: Vec<(usize, usize)>,
    writable: Vec<(usize, usize)>,
    imports_entry: bool,
    snapshot: Snapshot,
    /// Storage that is never put back, and what it held while the rest was.
    kept: Vec<(usize, Box<[u8]>)>,
}

#[derive(Debug, Default)]
enum Snapshot {
    #[default]
    None,
    Copies(Vec<Box<[u8]>>),
    /// The storage itself is a private mapping of the snapshot.
    Mapped,
}

impl Image {
    /// The object that holds a code address.
    pub(crate) fn of(address: usize) -> Option<Self> {
        let mut search = Search {
            address,
            found: None,
        };
        // SAFETY: the callback gets our search back and runs before this call returns.
        unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
        search.found
    }

    /// Its first address.
    pub(crate) fn low(&self) -> usize {
        self.low
    }

    /// Code ranges.
    pub(crate) fn text(&self) -> &[(usize, usize)] {
        &self.text
    }

    /// Length of the whole image.
    pub(crate) fn bytes(&self) -> usize {
        self.high - self.low
    }

    pub(crate) fn contains(&self, address: usize) -> bool {
        (self.low..self.high).contains(&address)
    }

    /// The module calls TXMENTRY or TXMTABLE: it came from our translator and can be primed.
    pub(crate) fn imports_entry(&self) -> bool {
        self.imports_entry
    }

    /// Remembers the writable storage as it is now.
    pub(crate) fn take_snapshot(&mut self) {
        let bytes: usize = self.writable.iter().map(|(low, high)| high - low).sum();
        let aligned = self.writable.iter().all(|(low, _)| low % PAGE == 0);
        if bytes >= REMAP_BYTES && aligned && self.writable.iter().all(|(l, h)| remap(*l, *h)) {
            self.snapshot = Snapshot::Mapped;
            return;
        }
        let copy = |(low, high): &(usize, usize)| {
            // SAFETY: the writable segment of a loaded module, never unloaded.
            unsafe { std::slice::from_raw_parts(*low as *const u8, high - low) }.into()
        };
        self.snapshot = Snapshot::Copies(self.writable.iter().map(copy).collect());
    }

    /// Storage inside that [`Self::restore`] leaves as it is: what it refers to lies on the heap
    /// and changes with it.
    pub(crate) fn keep(&mut self, ranges: &[(usize, usize)]) {
        let inside = |(low, bytes): &&(usize, usize)| {
            self.writable
                .iter()
                .any(|(start, end)| *start <= *low && low.saturating_add(*bytes) <= *end)
        };
        let room = |(low, bytes): &(usize, usize)| (*low, vec![0; *bytes].into());
        self.kept = ranges.iter().filter(inside).map(room).collect();
    }

    /// Puts the storage back as it was at the snapshot.
    pub(crate) fn restore(&mut self) {
        for (low, room) in &mut self.kept {
            // SAFETY: inside the writable segment of a loaded module, as `keep` has checked.
            unsafe {
                std::ptr::copy_nonoverlapping(*low as *const u8, room.as_mut_ptr(), room.len());
            }
        }
        self.put_back();
        for (low, room) in &self.kept {
            // SAFETY: as above.
            unsafe { std::ptr::copy_nonoverlapping(room.as_ptr(), *low as *mut u8, room.len()) };
        }
    }

    fn put_back(&self) {
        match &self.snapshot {
            Snapshot::None => {}
            Snapshot::Copies(copies) => {
                for ((low, _), copy) in self.writable.iter().zip(copies) {
                    // SAFETY: same segment, same length; the program is not active, so nothing
                    // refers into it.
                    unsafe {
                        std::ptr::copy_nonoverlapping(copy.as_ptr(), *low as *mut u8, copy.len());
                    }
                }
            }
            Snapshot::Mapped => {
                for (low, high) in &self.writable {
                    let bytes = high.next_multiple_of(PAGE) - low;
                    // SAFETY: a private mapping made by `remap`: dropped pages come back as the
                    // snapshot has them.
                    unsafe { libc::madvise(*low as *mut c_void, bytes, libc::MADV_DONTNEED) };
                }
            }
        }
    }
}

/// Replaces storage by a private mapping of a file with the same contents.
fn remap(low: usize, high: usize) -> bool {
    let bytes = high.next_multiple_of(PAGE) - low;
    // SAFETY: the range is a whole number of pages of a module's own writable segment; the file is
    // filled from it before it takes its place.
    unsafe {
        let fd = libc::memfd_create(c"transom-storage".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return false;
        }
        let filled = libc::ftruncate(fd, bytes as libc::off_t) == 0
            && libc::pwrite(fd, low as *const c_void, bytes, 0) == bytes as isize;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_FIXED;
        let done = filled
            && libc::mmap(low as *mut c_void, bytes, access, flags, fd, 0) != libc::MAP_FAILED;
        libc::close(fd);
        done
    }
}

struct Search {
    address: usize,
    found: Option<Image>,
}

unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader gives valid program headers for the duration of this call, and `data` is
    // the search of `Image::of`.
    let (info, search) = unsafe { (&*info, &mut *data.cast::<Search>()) };
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let base = info.dlpi_addr as usize;
    let range = |h: &libc::Elf64_Phdr| {
        let low = base + h.p_vaddr as usize;
        (low, low + h.p_memsz as usize)
    };
    let loads = || headers.iter().filter(|h| h.p_type == libc::PT_LOAD);
    let hit = loads()
        .map(range)
        .any(|(low, high)| (low..high).contains(&search.address));
    if !hit {
        return 0;
    }
    let relro = headers
        .iter()
        .find(|h| h.p_type == libc::PT_GNU_RELRO)
        .map(range);
    let mut image = Image {
        low: loads().map(|h| range(h).0).min().unwrap_or(0),
        high: loads().map(|h| range(h).1).max().unwrap_or(0),
        ..Image::default()
    };
    for header in loads() {
        let (mut low, high) = range(header);
        if header.p_flags & libc::PF_X != 0 {
            image.text.push((low, high));
        }
        if header.p_flags & libc::PF_W != 0 {
            if let Some((start, end)) = relro
                && start <= low
                && end > low
            {
                low = end.next_multiple_of(PAGE);
            }
            if low < high {
                image.writable.push((low, high));
            }
        }
    }
    let dynamic = headers
        .iter()
        .find(|h| h.p_type == libc::PT_DYNAMIC)
        .map(range);
    // SAFETY: the dynamic section of a loaded object stays mapped.
    image.imports_entry = dynamic
        .is_some_and(|(at, _)| unsafe { imports(at, c"TXMENTRY") || imports(at, c"TXMTABLE") });
    search.found = Some(image);
    1
}

const DT_NULL: u64 = 0;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_GNU_HASH: u64 = 0x6fff_fef5;

/// The object refers to a symbol it does not define. Such symbols come first in the table, before
/// those the GNU hash table covers.
///
/// # Safety
/// `dynamic` must be the dynamic section of a loaded object.
unsafe fn imports(dynamic: usize, wanted: &CStr) -> bool {
    let (mut strings, mut symbols, mut hash) = (0_u64, 0_u64, 0_u64);
    let mut at = dynamic as *const [u64; 2];
    // SAFETY: the section ends with DT_NULL; the loader has made the addresses absolute.
    unsafe {
        while (*at)[0] != DT_NULL {
            match (*at)[0] {
                DT_STRTAB => strings = (*at)[1],
                DT_SYMTAB => symbols = (*at)[1],
                DT_GNU_HASH => hash = (*at)[1],
                _ => {}
            }
            at = at.add(1);
        }
        if strings == 0 || symbols == 0 || hash == 0 {
            return false;
        }
        let undefined = *(hash as *const u32).add(1) as usize;
        (1..undefined).any(|i| {
            let symbol = &*(symbols as *const libc::Elf64_Sym).add(i);
            CStr::from_ptr((strings + u64::from(symbol.st_name)) as *const libc::c_char) == wanted
        })
    }
}
