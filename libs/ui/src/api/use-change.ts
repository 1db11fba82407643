import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { oneAtATime } from "./one-at-a-time.ts";
import { withProof } from "./step-up.ts";

interface Change<Reply, Input> extends UseMutationOptions<Reply, Error, Input> {
  mutationFn: (input: Input) => Promise<Reply>;
  /** The change proves who the user is. Any other one asks for a proof that it requires, and is then repeated. */
  isProof?: boolean;
}

/** `useMutation` whose `mutate` does nothing while the previous call is pending, however fast it is called. */
export const useChange = <Reply, Input = void>({
  isProof = false,
  mutationFn,
  ...options
}: Change<Reply, Input>) => {
  const { mutateAsync, ...mutation } = useMutation<Reply, Error, Input>({
    ...options,
    mutationFn: (input) => (isProof ? mutationFn(input) : withProof(() => mutationFn(input))),
  });
  const [alone] = useState(oneAtATime);
  return { ...mutation, mutate: (input: Input) => alone(() => mutateAsync(input)) };
};
