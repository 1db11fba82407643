import { useTranslation } from "react-i18next";

/** Separates two ways to do the same. */
export const Divider = () => {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <hr className="grow" />
      {t("or")}
      <hr className="grow" />
    </div>
  );
};
