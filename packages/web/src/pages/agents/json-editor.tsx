/** The list as JSON, as it is posted to the hub. What is wrong with it stands below while it is written. */
export function JsonEditor({ text, onWrite }: { text: string; onWrite: (text: string) => void }) {
  return (
    <textarea
      aria-label="Servers as JSON"
      className="w-full rounded-lg border border-line bg-card p-3 font-mono text-sm"
      rows={Math.min(30, Math.max(10, text.split('\n').length + 1))}
      spellCheck={false}
      value={text}
      onChange={event => onWrite(event.target.value)}
    />
  );
}
