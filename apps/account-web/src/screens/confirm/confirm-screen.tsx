import { reportProof } from "@latchkey/ui/api/step-up.ts";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { CardPage } from "../../components/card-page.tsx";
import { useTranslation } from "../../languages.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { Splash } from "../../shell/splash.tsx";
import { StepUpProof } from "../../shell/signed-in/step-up-proof.tsx";
import { provenAddress } from "./confirm-route.ts";

const route = getRouteApi("/confirm");

/** Asks for a proof of who the user is. Reports it to the page that waits for it, and closes the window, or leads back to that page. */
export const ConfirmScreen = () => {
  const t = useTranslation("account");
  const search = route.useSearch();
  const { session } = route.useRouteContext();
  const arrive = useArrive();
  const settle = (isProven: boolean) => {
    if (isProven) reportProof();
    // Only a window that a page has opened closes.
    window.close();
    void arrive();
  };
  const isProven = search.outcome === "done";
  const onProven = useEffectEvent(() => settle(true));
  useEffect(() => {
    if (isProven) onProven();
  }, [isProven]);
  if (isProven) return <Splash />;
  return (
    <CardPage title={t("stepUp.title")} lead={t("stepUp.text")}>
      <div>
        <StepUpProof
          requires={search.requires}
          email={session.user.email}
          comeBackTo={provenAddress(search)}
          settle={settle}
        />
      </div>
    </CardPage>
  );
};
