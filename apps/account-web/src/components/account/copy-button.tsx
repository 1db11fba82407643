import { Button } from "@latchkey/ui/components/button.tsx";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../languages.ts";

/** Copies a text, and says so. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const t = useTranslation("account");
  const [outcome, setOutcome] = useState<"copied" | "copyFailed">();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("copyFailed");
    }
  };
  return (
    <>
      <Button onClick={() => void copy()}>
        {outcome === "copied" ? <Check /> : <Copy />}
        {label}
      </Button>
      <span role="status" className={outcome === "copyFailed" ? "text-danger" : "sr-only"}>
        {outcome && t(outcome)}
      </span>
    </>
  );
};
