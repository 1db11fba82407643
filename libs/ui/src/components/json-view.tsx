import { CopyId } from "./copy-id.tsx";
import { locale } from "./locale.ts";

/** Shows any value as JSON text that can be selected and copied. */
export const JsonView = ({ label, value }: { label: string; value: unknown }) => {
  const text = JSON.stringify(value, null, 2) ?? "null";
  return (
    <div className="relative min-h-0">
      <div className="absolute top-2 end-2">
        <CopyId id={text} label={locale.text("copy", { text: label })} hidesId />
      </div>
      <pre
        dir="ltr"
        // Makes long values scrollable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-full overflow-auto rounded-md border bg-sunken p-3 pe-12 font-mono text-xs"
      >
        {text}
      </pre>
    </div>
  );
};
