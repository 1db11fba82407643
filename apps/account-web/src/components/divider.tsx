import { useTranslation } from "../languages.ts";

/** Separates two ways to do the same. */
export const Divider = () => {
  const t = useTranslation("page");
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <hr className="grow" />
      {t("or")}
      <hr className="grow" />
    </div>
  );
};
