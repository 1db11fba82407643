import { Check, Copy } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";

export interface NewSecretProps {
  /** The label of the secret: "API key". */
  label: string;
  /** The noun in sentences and on the button: "key". */
  noun: string;
  secret: string;
  /** The user tried to leave without copying the secret. */
  isWarned: boolean;
  onCopied: () => void;
  onClose: () => void;
  /** A link to the object of the secret. */
  link?: ReactNode;
}

/** Shows a new secret, which is available only here. */
export const NewSecret = (props: NewSecretProps) => {
  const { label, noun, secret, isWarned, onCopied, onClose, link } = props;
  const box = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
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
          ? `You have not copied the ${noun}. It cannot be shown again. Close again to discard it.`
          : `Copy the ${noun} now and store it in a safe place. It cannot be shown again.`}
      </Notice>
      <Field label={label}>
        <Input
          ref={box}
          readOnly
          value={secret}
          onCopy={onCopied}
          className="font-mono text-xs"
          autoFocus
        />
      </Field>
      <p role="status" className="min-h-5 text-muted">
        {outcome === "copied" && "Copied."}
        {outcome === "failed" && "The browser blocked copying. Copy the selected text manually."}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {link}
        <Button onClick={onClose}>Done</Button>
        <Button kind="primary" onClick={() => void copy()}>
          {outcome === "copied" ? <Check /> : <Copy />}
          Copy {noun}
        </Button>
      </div>
    </div>
  );
};
