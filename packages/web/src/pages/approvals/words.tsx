interface WordsProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function Words({ label, placeholder, value, onChange }: WordsProps) {
  return (
    <label className="flex flex-col gap-1 text-sm">
      {label}
      <input
        className="rounded border border-line bg-page p-2"
        placeholder={placeholder}
        value={value}
        spellCheck={false}
        onChange={event => onChange(event.target.value)}
      />
    </label>
  );
}
