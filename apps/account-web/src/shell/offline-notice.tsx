import { useSyncExternalStore } from "react";
import { useTranslation } from "../languages.ts";

const follow = (onChange: () => void) => {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
};

/** Says that the browser has no network. */
export const OfflineNotice = () => {
  const t = useTranslation("page");
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine);
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-10">
      {!isOnline && (
        <p className="bg-warning-soft px-4 py-2 text-center text-warning">{t("offline")}</p>
      )}
    </div>
  );
};
