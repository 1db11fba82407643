import { Check } from "lucide-react";
import { useTranslation } from "../languages.ts";

const described = ["openid", "profile", "email", "offline_access"] as const;

/** Returns what a scope lets an application do. One that the installation has added shows its name. */
const useScopeText = () => {
  const t = useTranslation("consent");
  return (scope: string): string => {
    const match = described.find((name) => name === scope);
    return match ? t(`scopes.${match}`) : t("scopes.other", { scope });
  };
};

interface ScopeListProps {
  label: string;
  scopes: readonly string[];
  /** The text in place of the scopes. */
  instead?: string | undefined;
}

/** Lists the rights that an application asks for. */
export const ScopeList = ({ label, scopes, instead }: ScopeListProps) => {
  const scopeText = useScopeText();
  const texts = instead === undefined ? scopes.map(scopeText) : [instead];
  return (
    <ul aria-label={label} className="flex flex-col gap-3">
      {texts.map((text) => (
        <li key={text} className="flex gap-3">
          <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
};
