/** Shows a text of a request or a response, which anyone may have written. Long texts scroll. */
export const TextView = ({ label, text }: { label: string; text: string }) => (
  <pre
    // Makes long texts scrollable by keyboard.
    tabIndex={0}
    role="region"
    aria-label={label}
    className="max-h-80 overflow-auto rounded-md border bg-sunken p-3 font-mono text-xs break-all whitespace-pre-wrap"
  >
    <bdi>{text}</bdi>
  </pre>
);
