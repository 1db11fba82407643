import { useTranslation } from "../languages.ts";

/** Marks the way by which this browser signed in last. */
export const LastUsed = () => {
  const t = useTranslation("signIn");
  return (
    <span className="ms-1 rounded-full bg-sunken px-2 py-0.5 text-xs font-normal text-muted">
      {t("lastUsed")}
    </span>
  );
};
