import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { toasts } from "./toasts.ts";
import { locale } from "./locale.ts";

interface CopyIdProps {
  id: string;
  /** The owner of the id, for a label such as "Copy id of Ada". */
  of?: string | undefined;
  /** The accessible name of the button, if the copied text is not an id. */
  label?: string | undefined;
  /** Shows only the button. */
  hidesId?: boolean | undefined;
}

const shownMs = 1500;

/** Shows an id, possibly truncated, with a button that copies the full id. */
export const CopyId = ({ id, of, label, hidesId }: CopyIdProps) => {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      setIsCopied(true);
    } catch {
      toasts.add({
        title: locale.text("copyBlocked"),
        description: locale.text("copyManually", { text: id }),
        type: "error",
      });
    }
  };
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      {!hidesId && (
        <bdi title={id} className="min-w-0 truncate font-mono text-xs">
          {id}
        </bdi>
      )}
      <IconButton
        label={
          label ??
          (of === undefined
            ? locale.text("copy", { text: id })
            : locale.text("copyIdOf", { name: of }))
        }
        className="ui-copy size-6 max-sm:-my-2 max-sm:size-10"
        onClick={() => void copy()}
      >
        {isCopied ? <Check className="text-success" /> : <Copy className="text-muted" />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? locale.text("copied") : ""}
      </span>
    </span>
  );
};
