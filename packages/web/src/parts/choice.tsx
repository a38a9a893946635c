/** One of a few: buttons of which one is pressed. */
interface ChoiceProps<Option extends string> {
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: Option;
  readonly onChoose: (option: Option) => void;
}

export function Choice<Option extends string>({ label, options, chosen, onChoose }: ChoiceProps<Option>) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {options.map(option => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          className={`rounded border border-line px-3 py-1 ${option === chosen ? 'bg-accent/15 font-medium' : ''}`}
          onClick={() => onChoose(option)}
        >
          {option}
        </button>
      ))}
    </fieldset>
  );
}
