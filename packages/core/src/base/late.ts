/** Something that is made when it is first asked for. `made` is what there is by now, for whoever needs none made for it. */
export class Late<T> {
  made: T | undefined;
  readonly #make: () => T;

  constructor(make: () => T) {
    this.#make = make;
  }

  get(): T {
    this.made ??= this.#make();
    return this.made;
  }
}
