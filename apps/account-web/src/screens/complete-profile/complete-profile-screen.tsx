import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { useState } from "react";
import { CompleteSignUp } from "../../components/additional-fields/complete-sign-up.tsx";
import { facts } from "../../facts.ts";
import { missingFields } from "../../session/missing-fields.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { useArrive } from "../../session/use-arrive.ts";

/** Takes the required fields that a user lacks, and then leads on. */
export const CompleteProfileScreen = () => {
  const { data: session } = useQuery(sessionQuery);
  const arrive = useArrive();
  // The fields stay while the saved ones are read.
  const [fields] = useState(() => session && missingFields(facts.fields, session.user));
  if (!session || !fields?.length) return <Navigate to="/" replace />;
  return (
    <CompleteSignUp
      fields={fields}
      complete={async (body) => {
        await call(operations.identity.updateUser, { body });
        await arrive();
      }}
    />
  );
};
