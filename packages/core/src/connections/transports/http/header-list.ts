/**
 * Headers as a list, which Node writes as it is. Of an object it first makes a table of its own, name by name, and reads that
 * out again: for a small message this takes longer than sending it. Pure.
 */
export function headerList(host: string, headers: Readonly<Record<string, string | number>>): (string | number)[] {
  const list: (string | number)[] = ['Host', host];
  const names = ['host'];
  for (const name in headers) {
    const value = headers[name] as string | number;
    const lowered = name.toLowerCase();
    const place = names.indexOf(lowered);
    if (place < 0) {
      names.push(lowered);
      list.push(name, value);
    } else {
      // The config may spell a name otherwise: as in a table, the last one counts.
      list[2 * place] = name;
      list[2 * place + 1] = value;
    }
  }
  return list;
}
