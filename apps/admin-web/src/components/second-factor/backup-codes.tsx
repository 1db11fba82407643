import { Check, Copy, Download, Printer } from "lucide-react";
import { useState } from "react";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { saveFile } from "@latchkey/ui/save-file.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";

interface BackupCodesProps {
  codes: readonly string[];
  isBusy?: boolean | undefined;
  onKept: () => void;
}

/** Shows backup codes, which are available only here. */
export const BackupCodes = ({ codes, isBusy, onKept }: BackupCodesProps) => {
  const [isCopied, setIsCopied] = useState(false);
  const text = codes.join("\n");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      toasts.add({
        title: "The browser blocked copying.",
        description: "Download the codes, or copy them manually.",
        type: "error",
      });
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning">
        Store these backup codes in a safe place. They are shown only once. Each code works once,
        when you cannot use your other second factor.
      </Notice>
      <div className="print-alone">
        <p className="mb-3 hidden font-semibold print:block">{pageFacts.appName} backup codes</p>
        <ul aria-label="Backup codes" className="grid grid-cols-2 gap-1 font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          {isCopied ? <Check /> : <Copy />}
          Copy codes
        </Button>
        <Button
          onClick={() =>
            saveFile(
              new Blob([`${text}\n`], { type: "text/plain" }),
              `${pageFacts.appName} backup codes.txt`,
            )
          }
        >
          <Download />
          Download codes
        </Button>
        <Button onClick={() => window.print()}>
          <Printer />
          Print codes
        </Button>
      </div>
      <p role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </p>
      <Button kind="primary" isBusy={isBusy} onClick={onKept}>
        I have saved these codes
      </Button>
    </div>
  );
};
