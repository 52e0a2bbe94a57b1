//! Program modules in memory: instances, fresh storage, CALL.
//!
//! What: loads shared objects, initialises ("primes") each once up to its TXMENTRY, keeps a copy of
//! its writable segment and puts that copy back whenever a program must start with fresh
//! WORKING-STORAGE. A module that is active in an outer level gets a second instance: a copy of the
//! shared object with addresses of its own. All lie below 2 GiB. Why: a
//! copy is three times cheaper than CANCEL and does not depend on VALUE
//! clauses. Not here: which program a command names (`region/commands`).

use super::edge;
use super::image::Image;
use crate::address_map::{MODULES, MORE_MODULES};
use crate::failure::LoadError;
use crate::seam::{Area, Loaded, ProgramStorage};
use foldhash::HashMap;
use std::ffi::{CString, NulError, c_void};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use transom_modules::Object;
use transom_types::ProgramName;
use transom_wire::Module;

/// Instances of one module; recursion deeper than this ends with an abend.
const MAX_INSTANCES: usize = 64;
/// Modules one worker may load, instances included.
const MAX_MODULES: usize = 4_000;
/// Enough for [`MAX_MODULES`] copies, and for those of failed loads.
const COPY_BITS: usize = 24;
/// A new version of a CALLed program is seen after this time.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Between two modules lies one page that nobody has.
const PAGE: usize = 4096;
/// Longest program name in a CALL; longer ones are not ours.
const MAX_NAME: usize = 30;

/// Number of a loaded instance.
pub(crate) type InstanceId = usize;

#[derive(Debug)]
struct Instance {
    program: ProgramName,
    entry: *mut c_void,
    image: Image,
    /// Initialised and stopped at TXMENTRY: the image has a snapshot.
    primed: bool,
    /// `cob_module` of a program without TXMENTRY, once it ran.
    plain_module: *mut c_void,
    /// In use by a level.
    bound: bool,
    /// Ran since its storage was fresh.
    used: bool,
    /// Address and bytes of its first record, when it is only data.
    table: Option<(usize, usize)>,
}

/// All modules of this process.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    instances: Vec<Instance>,
    by_path: HashMap<String, Vec<InstanceId>>,
    dirs: Vec<PathBuf>,
    /// First addresses that no module has, in each range of the map.
    next: [usize; 2],
    /// Programs by CALL name, found in `dirs`, and when.
    called: HashMap<String, (Module, Instant)>,
}

impl Modules {
    pub(crate) fn new(dirs: Vec<PathBuf>) -> Self {
        Self {
            dirs,
            ..Self::default()
        }
    }

    /// Folders of CALLed programs.
    pub(crate) fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// An instance that no level uses, with fresh storage, bound to the caller's level.
    pub(crate) fn bind(&mut self, module: &Module) -> Result<InstanceId, LoadError> {
        let free = self
            .by_path
            .get(&module.path)
            .and_then(|ids| ids.iter().copied().find(|id| !self.instances[*id].bound));
        let id = match free {
            Some(id) => id,
            None => self.load(module)?,
        };
        self.refresh(id);
        self.instances[id].bound = true;
        self.instances[id].used = true;
        Ok(id)
    }

    /// The level that bound it is over.
    pub(crate) fn unbind(&mut self, id: InstanceId) {
        self.instances[id].bound = false;
    }

    /// All levels are gone (end of task).
    pub(crate) fn unbind_all(&mut self) {
        self.instances.iter_mut().for_each(|i| i.bound = false);
    }

    pub(crate) fn entry(&self, id: InstanceId) -> *mut c_void {
        self.instances[id].entry
    }

    /// The program calls TXMENTRY first, so it can go on at a label.
    pub(crate) fn has_entry(&self, id: InstanceId) -> bool {
        self.instances[id].primed
    }

    /// Fresh WORKING-STORAGE.
    pub(crate) fn refresh(&mut self, id: InstanceId) {
        let instance = &mut self.instances[id];
        if !instance.used {
            return;
        }
        if instance.primed {
            instance.image.restore();
        } else if !instance.plain_module.is_null() {
            // SAFETY: registered by its own initialisation and not cancelled since.
            unsafe { edge::cancel_module(instance.plain_module) };
            instance.plain_module = std::ptr::null_mut();
        }
        instance.used = false;
    }

    /// CANCEL: fresh storage at the next CALL.
    pub(crate) fn cancel(&mut self, id: InstanceId) {
        self.refresh(id);
        self.instances[id].used = true;
    }

    /// Where it lies.
    pub(crate) fn loaded(&self, id: InstanceId) -> Loaded {
        let instance = &self.instances[id];
        Loaded {
            entry: instance.entry as usize,
            load_point: instance.image.low(),
            bytes: instance.image.bytes(),
            table: instance
                .table
                .map(|(address, bytes)| Area { address, bytes }),
        }
    }

    /// Storage of the program that begins at an address, or of one that a program check ended.
    /// Nothing where the file is gone or was stripped, nor where several levels have the one that
    /// ended: nobody knows which it was.
    pub(crate) fn storage(
        &self,
        ended: Option<ProgramName>,
        running: *mut c_void,
    ) -> ProgramStorage {
        let is_meant = |one: &Instance| match ended {
            Some(program) => one.program == program && one.used,
            None => one.entry == running,
        };
        let all = self.instances.iter().enumerate();
        let mut found = all.filter(|(_, one)| is_meant(one)).map(|(id, _)| id);
        match (found.next(), found.next()) {
            (Some(id), None) => self.storage_of(id),
            _ => ProgramStorage::default(),
        }
    }

    fn storage_of(&self, id: InstanceId) -> ProgramStorage {
        let path = self.by_path.iter().find(|(_, ids)| ids.contains(&id));
        let bytes = path.and_then(|(path, _)| std::fs::read(path).ok());
        let Some(bytes) = bytes else {
            return ProgramStorage::default();
        };
        let image = &self.instances[id].image;
        let there = |(number, at, bytes): (u32, usize, usize)| {
            let address = image.low().checked_add(at)?;
            let end = address.checked_add(bytes)?;
            image
                .contains(end.saturating_sub(1))
                .then_some((number, Area { address, bytes }))
        };
        let address = |(number, place): (u32, Area)| {
            let word = (place.bytes == size_of::<usize>()).then_some(place.address)?;
            // SAFETY: a variable of a loaded module, which is never unloaded; its program is
            // stopped.
            Some((number, unsafe { (word as *const usize).read_unaligned() }))
        };
        let parameters = transom_modules::parameters(&bytes).into_iter();
        let local = edge::local_storage(image.low(), image.bytes());
        ProgramStorage {
            records: (transom_modules::records(&bytes).into_iter())
                .filter_map(there)
                .collect(),
            parameters: parameters.filter_map(there).filter_map(address).collect(),
            local: local.map(|(address, bytes)| Area { address, bytes }),
        }
    }

    /// The program that has this address, and the first byte of its module.
    pub(crate) fn at(&self, address: usize) -> Option<(ProgramName, usize)> {
        let mut instances = self.instances.iter();
        let found = instances.find(|instance| instance.image.contains(address))?;
        Some((found.program, found.image.low()))
    }

    /// A program as a CALL names it, from the module folders.
    pub(crate) fn find_called(&mut self, name: &str) -> Option<Module> {
        if name.len() > MAX_NAME || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return None;
        }
        if let Some((known, when)) = self.called.get(name)
            && when.elapsed() < LOOK_AGAIN
        {
            return Some(known.clone());
        }
        // `NAME.so` may be a link to the newest version: each version has a path of its own.
        let paths = self.dirs.iter().map(|dir| dir.join(format!("{name}.so")));
        let path = paths.flat_map(std::fs::canonicalize).next()?;
        let module = Module {
            program: ProgramName::from_field(name.as_bytes()),
            path: path.to_string_lossy().into_owned(),
            quasirent: true,
            cics_key: false,
        };
        self.called
            .insert(name.to_owned(), (module.clone(), Instant::now()));
        Some(module)
    }

    /// A program without TXMENTRY initialised itself.
    pub(crate) fn initialised(&mut self, module: *mut c_void, code: usize) {
        if let Some(i) = self.instances.iter_mut().find(|i| i.image.contains(code)) {
            i.plain_module = module;
        }
    }

    /// Loads and primes a module.
    pub(crate) fn load(&mut self, module: &Module) -> Result<InstanceId, LoadError> {
        let same = self.by_path.get(&module.path).map_or(0, Vec::len);
        if same >= MAX_INSTANCES {
            return Err(LoadError::Active(module.program, same));
        }
        if self.instances.len() >= MAX_MODULES {
            return Err(LoadError::Modules(MAX_MODULES));
        }
        let (handle, base) = self.open(Path::new(&module.path))?;
        let name = CString::new(module.program.as_str()).map_err(not_c)?;
        // SAFETY: a valid handle and a C string.
        let entry = unsafe { libc::dlsym(handle, symbol(&name).as_ptr()) };
        if entry.is_null() {
            return Err(LoadError::NoProgram {
                path: module.path.clone(),
                program: module.program,
                why: edge::dl_error(),
            });
        }
        let image = Image::of(entry as usize).ok_or(LoadError::NotFound)?;
        if image.low() != base {
            // SAFETY: nothing refers to it yet.
            unsafe { libc::dlclose(handle) };
            return Err(LoadError::Place(module.path.clone(), base));
        }
        for (low, high) in image.text() {
            edge::add_text_range(*low, *high);
        }
        let primed = image.imports_entry();
        self.instances.push(Instance {
            program: module.program,
            entry,
            image,
            primed: false,
            plain_module: std::ptr::null_mut(),
            bound: false,
            used: false,
            table: None,
        });
        let id = self.instances.len() - 1;
        if primed {
            self.prime(id)?;
        }
        self.by_path
            .entry(module.path.clone())
            .or_default()
            .push(id);
        Ok(id)
    }

    /// Loads a file at the next free place of the address map, which it answers.
    fn open(&mut self, path: &Path) -> Result<(*mut c_void, usize), LoadError> {
        let bytes = std::fs::read(path).map_err(|e| LoadError::File(path.to_owned(), e))?;
        let unfit = || LoadError::Unfit(path.to_owned());
        let object = Object::read(bytes).ok_or_else(unfit)?;
        let base = self.place(object.extent()).ok_or(LoadError::Addresses)?;
        let moved = object.moved(base as u64).ok_or_else(unfit)?;
        let handle = open_copy(&moved)?;
        Ok((handle, base))
    }

    /// Takes addresses for so many bytes and a page that nobody has.
    fn place(&mut self, bytes: usize) -> Option<usize> {
        let bytes = bytes.checked_next_multiple_of(PAGE)?.checked_add(PAGE)?;
        for (next, range) in self.next.iter_mut().zip([MODULES, MORE_MODULES]) {
            let base = (*next).max(range.start);
            if let Some(end) = base.checked_add(bytes).filter(|end| *end <= range.end) {
                *next = end;
                return Some(base);
            }
        }
        None
    }

    fn prime(&mut self, id: InstanceId) -> Result<(), LoadError> {
        let entry = self.instances[id].entry;
        let nowhere = std::ptr::null_mut();
        // A program without commands that contains one with commands has no TXMENTRY of its own:
        // what it did before it was stopped is undone, and it starts by itself at its first use.
        self.instances[id].image.take_snapshot();
        // SAFETY: the entry of a module just loaded; it stops at TXMENTRY before it uses arguments.
        let how = unsafe { edge::run_level(entry, nowhere, nowhere, true) };
        let constants = edge::constants();
        match how {
            edge::PRIMED => {
                self.instances[id].image.take_snapshot();
                self.instances[id].image.keep(&constants);
                self.instances[id].primed = true;
                self.instances[id].table = edge::table();
                Ok(())
            }
            edge::UNPRIMED => {
                self.instances[id].image.restore();
                Ok(())
            }
            edge::CHECKED => Err(LoadError::Initialisation(edge::last_check().text())),
            _ => Err(LoadError::EndedEarly),
        }
    }
}

/// COBOL names may hold characters that C names cannot; cobc writes them as `_2D` and the like and
/// puts `_` before a leading digit.
fn symbol(name: &CString) -> CString {
    let mut out = Vec::new();
    for (i, byte) in name.as_bytes().iter().enumerate() {
        match byte {
            b'0'..=b'9' if i == 0 => out.extend([b'_', *byte]),
            b'-' => out.extend(b"__"),
            b if b.is_ascii_alphanumeric() || *b == b'_' => out.push(*b),
            b => out.extend(format!("_{b:02X}").bytes()),
        }
    }
    CString::new(out).unwrap_or_default()
}

/// A name with a zero in it.
fn not_c(error: NulError) -> LoadError {
    LoadError::Loader(error.to_string())
}

fn open(path: &Path) -> Result<*mut c_void, LoadError> {
    let text = CString::new(path.as_os_str().as_encoded_bytes()).map_err(not_c)?;
    // SAFETY: a C string. Constructors of COBOL modules do nothing; those of other routines are
    // code of programs as what follows is, with the rights of a zygote or worker and no more.
    let handle = unsafe { libc::dlopen(text.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        Err(LoadError::Loader(edge::dl_error()))
    } else {
        Ok(handle)
    }
}

/// The loader knows files by their identity, so a copy in memory is another module each time.
fn open_copy(bytes: &[u8]) -> Result<*mut c_void, LoadError> {
    use std::io::Write;
    use std::os::fd::{AsRawFd, FromRawFd};
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    // SAFETY: the name is a C string; the descriptor is owned by the File.
    let mut file = unsafe {
        let fd = libc::memfd_create(c"transom-module".as_ptr(), libc::MFD_CLOEXEC);
        if fd < 0 {
            return Err(LoadError::Memory(std::io::Error::last_os_error()));
        }
        std::fs::File::from_raw_fd(fd)
    };
    file.write_all(bytes).map_err(LoadError::Memory)?;
    // The loader also knows files by their name, and descriptor numbers come again: each copy gets
    // another way to write the same path.
    let copy = COPIES.fetch_add(1, Ordering::Relaxed);
    let detour: String = (0..COPY_BITS)
        .map(|bit| if copy >> bit & 1 == 1 { "/." } else { "/" })
        .collect();
    open(Path::new(&format!(
        "/proc/self/fd{detour}/{}",
        file.as_raw_fd()
    )))
}
