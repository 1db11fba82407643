import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { saveFile } from "@latchkey/ui/save-file.ts";
import { Download, Printer } from "lucide-react";
import { useTranslation } from "../../../languages.ts";
import { CopyButton } from "../copy-button.tsx";
import { facts } from "../../../facts.ts";

interface RecoveryCodesProps {
  codes: readonly string[];
  onKept: () => void;
  isBusy?: boolean | undefined;
}

/** Shows recovery codes, which are available only here. */
export const RecoveryCodes = ({ codes, onKept, isBusy }: RecoveryCodesProps) => {
  const t = useTranslation("security");
  const text = codes.join("\n");
  const title = t("factor.codes.fileName", { name: facts.branding.name });
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning">{t("factor.codes.keep")}</Notice>
      <div className="print-alone">
        <p className="mb-3 hidden font-semibold print:block">{title}</p>
        <ul
          aria-label={t("factor.codes.name")}
          dir="ltr"
          className="grid grid-cols-2 gap-1 text-center font-mono"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={t("factor.codes.copy")} />
        <Button
          onClick={() => saveFile(new Blob([`${text}\n`], { type: "text/plain" }), `${title}.txt`)}
        >
          <Download />
          {t("factor.codes.download")}
        </Button>
        <Button onClick={() => window.print()}>
          <Printer />
          {t("factor.codes.print")}
        </Button>
      </div>
      <Button kind="primary" isBusy={isBusy} onClick={onKept}>
        {t("factor.codes.kept")}
      </Button>
    </div>
  );
};
