import { Spinner } from "@latchkey/ui/components/spinner.tsx";
import { useTranslation } from "../languages.ts";

/** Shown while a page loads for longer than a moment. */
export const Splash = () => {
  const t = useTranslation("page");
  return (
    <div role="status" aria-label={t("loading")} className="grid min-h-dvh place-items-center">
      <Spinner />
    </div>
  );
};
