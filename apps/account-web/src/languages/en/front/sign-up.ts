export const signUp = {
  title: "Create your account",
  lead: "to continue to {{name}}",
  name: "Name",
  enterName: "Enter your name.",
  username: "Username (optional)",
  submit: "Create account",
  hasAccount: "Already have an account?",
  signIn: "Sign in",
  closed: {
    title: "Sign-up is closed",
    text: "Accounts are created by invitation only.",
  },
  mailed: {
    title: "Check your inbox",
    text: "We sent a link to {{email}}. Open it to verify your email, then sign in.",
  },
};
