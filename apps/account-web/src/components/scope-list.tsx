import { Check } from "lucide-react";
import { useTranslation } from "../languages.ts";

const described = ["openid", "profile", "email", "offline_access"] as const;

/** Says in plain words what scopes let an application do. One that the installation has added shows its name. */
export const ScopeList = ({ scopes }: { scopes: readonly string[] }) => {
  const t = useTranslation("consent");
  const textOf = (scope: string): string => {
    const match = described.find((name) => name === scope);
    return match ? t(`scopes.${match}`) : t("scopes.other", { scope });
  };
  return (
    <ul aria-label={t("list")} className="flex flex-col gap-3">
      {scopes.map((scope) => (
        <li key={scope} className="flex gap-3">
          <Check aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
          <span>{textOf(scope)}</span>
        </li>
      ))}
    </ul>
  );
};
