import { Button } from "@latchkey/ui/components/button.tsx";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";

/** Copies a text, and says so. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslation("account");
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      toasts.add({ title: t("copyFailed"), type: "error" });
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>
        {isCopied ? <Check /> : <Copy />}
        {label}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </>
  );
};
