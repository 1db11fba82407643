import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { useTranslation } from "../../languages.ts";
import { type CodeKind, type FactorMethod, kindsOf } from "./code-kinds.ts";
import { EnterCode } from "./enter-code.tsx";

interface CodeFormProps {
  /** The second factors of the user. */
  methods: readonly FactorMethod[];
  offersTrust: boolean;
  onPassed: () => void | Promise<void>;
  onEnded: (reason: "expired" | "tooMany") => void;
}

/** Asks for a code of the second factor, of the kind that the user chooses. */
export const CodeForm = ({ methods, ...use }: CodeFormProps) => {
  const t = useTranslation("secondFactor");
  const kinds = kindsOf(methods);
  const [chosen, setChosen] = useState<CodeKind>();
  const kind = chosen ?? kinds[0] ?? "backup";
  return (
    <div className="flex flex-col gap-4">
      <EnterCode key={kind} kind={kind} {...use} />
      <ul className="flex flex-col items-center gap-1">
        {kinds
          .filter((other) => other !== kind)
          .map((other) => (
            <li key={other}>
              <Button kind="quiet" size="small" onClick={() => setChosen(other)}>
                {t(`${other}.use`)}
              </Button>
            </li>
          ))}
      </ul>
    </div>
  );
};
