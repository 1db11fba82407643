import { Link } from "@tanstack/react-router";
import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";

interface NewKeyProps {
  created: { readonly id: string; readonly key: string };
  /** The user tried to leave without copying the key. */
  isWarned: boolean;
  onCopied: () => void;
  onClose: () => void;
}

/** Shows the text of a new key, which is available only here. */
export const NewKey = (props: NewKeyProps) => {
  const { created, isWarned, onCopied, onClose } = props;
  const box = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(created.key);
      setOutcome("copied");
      onCopied();
    } catch {
      box.current?.select();
      setOutcome("failed");
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" isUrgent={isWarned}>
        {isWarned
          ? "You have not copied the key. It cannot be shown again. Close again to discard it."
          : "Copy the key now and store it in a safe place. It cannot be shown again."}
      </Notice>
      <Field label="API key">
        <Input
          ref={box}
          readOnly
          value={created.key}
          onCopy={onCopied}
          className="font-mono text-xs"
          autoFocus
        />
      </Field>
      <p role="status" className="min-h-5 text-muted">
        {outcome === "copied" && "Copied."}
        {outcome === "failed" && "The browser blocked copying. Copy the selected text manually."}
      </p>
      <div className="flex justify-end gap-2">
        <Link
          to="/api-keys/$keyId"
          params={{ keyId: created.id }}
          // Replaces the history entry, so that the back button returns to the list and not to the dialog.
          replace
          className={buttonStyle()}
        >
          View key
        </Link>
        <Button onClick={onClose}>Done</Button>
        <Button kind="primary" onClick={() => void copy()}>
          {outcome === "copied" ? <Check /> : <Copy />}
          Copy key
        </Button>
      </div>
    </div>
  );
};
