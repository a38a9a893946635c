/**
 * Variables of a server that would act on the program here already, before it runs the server over there: code that they
 * name would run outside of the place that is to hold the server. They have to go another way than its environment.
 */
const FOR_THE_LOADER = /^(LD_|DYLD_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|MALLOC_)/;

export function actsHere(name: string): boolean {
  return FOR_THE_LOADER.test(name);
}
