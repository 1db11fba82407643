import { Check, Copy } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/fields.tsx";
import { Notice } from "../components/notice.tsx";

/** The texts around a secret. */
export interface SecretTexts {
  /** The label of the secret. */
  readonly label: string;
  /** Asks to copy it now. */
  readonly keep: string;
  /** Warns a user who leaves without a copy. */
  readonly lost: string;
  /** The button that copies it. */
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  /** The button that closes. */
  readonly done: string;
}

interface NewSecretProps {
  texts: SecretTexts;
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
  const { texts, secret, isWarned, onCopied, onClose, link } = props;
  const box = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<"copied" | "copyFailed">();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setOutcome("copied");
      onCopied();
    } catch {
      box.current?.select();
      setOutcome("copyFailed");
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" isUrgent={isWarned}>
        {isWarned ? texts.lost : texts.keep}
      </Notice>
      <TextField
        label={texts.label}
        ref={box}
        readOnly
        dir="ltr"
        value={secret}
        onCopy={onCopied}
        isCode
        autoFocus
      />
      <p role="status" className="min-h-5 text-muted">
        {outcome && texts[outcome]}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {link}
        <Button onClick={onClose}>{texts.done}</Button>
        <Button kind="primary" onClick={() => void copy()}>
          {outcome === "copied" ? <Check /> : <Copy />}
          {texts.copy}
        </Button>
      </div>
    </div>
  );
};
