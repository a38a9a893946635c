/**
 * The filter of system calls for the sandbox of Linux, as the kernel reads it (classic BPF). It refuses what a server has no use
 * for and what has opened sandboxes before: namespaces of its own, mounts, modules, other processes, io_uring. Pure.
 */

/** Numbers of system calls: x64, arm64. Null: there is none. */
const REFUSED: Readonly<Record<string, readonly [number, number | null]>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, null],
  iopl: [172, null],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  uselib: [134, null],
  userfaultfd: [323, 282],
};

/** The same on both: its flags are behind a pointer that no filter can follow. Programs fall back to clone. */
const CLONE3 = 435;

interface Machine {
  /** AUDIT_ARCH_… */
  readonly arch: number;
  readonly column: 0 | 1;
  readonly clone: number;
  readonly ioctl: number;
}

const MACHINES: Partial<Record<string, Machine>> = {
  x64: { arch: 0xc000003e, column: 0, clone: 56, ioctl: 16 },
  arm64: { arch: 0xc00000b7, column: 1, clone: 220, ioctl: 29 },
};

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;

/** Of x64, the calls of another table begin here. */
const X32 = 0x40000000;

/** CLONE_NEW… of every kind. */
const NEW_NAMESPACES = 0x7e020000;

/** They type into the terminal of others. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** Where things stand in what the filter is given: the low half of an argument. */
const AT = { number: 0, arch: 4, first: 16, second: 24 } as const;

/** Undefined for machines whose numbers are not known. */
export function seccompFilter(machine: string): Buffer | undefined {
  const known = MACHINES[machine];
  if (!known) return undefined;
  const { arch, column, clone, ioctl } = known;
  const refused = Object.values(REFUSED).flatMap(numbers => numbers[column] ?? []);
  return Buffer.concat([
    load(AT.arch),
    ...[ifEqual(arch, 1, 0), result(ENOSYS)],
    load(AT.number),
    ...[step(0x35, X32, 0, 1), result(ENOSYS)],
    ...refused.flatMap(number => [ifEqual(number, 0, 1), result(EPERM)]),
    ...[ifEqual(CLONE3, 0, 1), result(ENOSYS)],
    ...[ifEqual(clone, 0, 4), load(AT.first), step(0x45, NEW_NAMESPACES, 0, 1), result(EPERM), result(ALLOW)],
    ...[ifEqual(ioctl, 0, 5), load(AT.second), ifEqual(TIOCSTI, 1, 0), ifEqual(TIOCLINUX, 0, 1)],
    ...[result(EPERM), result(ALLOW)],
    result(ALLOW),
  ]);
}

function load(offset: number): Buffer {
  return step(0x20, offset);
}

/** Skips so many steps where the value is equal, and so many where it is not. */
function ifEqual(value: number, equal: number, other: number): Buffer {
  return step(0x15, value, equal, other);
}

function result(action: number): Buffer {
  return step(0x06, action);
}

function step(code: number, value: number, onTrue = 0, onFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(onTrue, 2);
  bytes.writeUInt8(onFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
