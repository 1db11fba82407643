import type { pages as english } from "../en/pages.ts";
import type { Translated } from "../message.ts";

/** The Japanese texts of the pages of mailed links. They have the polite form (desu, masu). */
export const pages: Translated<typeof english> = {
  ignore: "お心当たりがない場合は、このページを閉じてください。何も変更されていません。",
  change: {
    title: "新しいメールアドレスの確認",
    text: "{app} のアカウントのメールアドレスが {email} から {newEmail} に変更されます。",
    button: "メールアドレスを変更",
  },
  delete: {
    title: "アカウントの削除",
    text: "{app} のアカウント {email} が完全に削除されます。",
    button: "アカウントを削除",
  },
  signIn: {
    title: "{app} にサインイン",
    text: "このブラウザーで {app} の {email} のアカウントにサインインします。",
    button: "サインイン",
  },
  signInClaim: {
    title: "{app} にサインイン",
    text: "{app} のこのアカウントでは、{email} が一度も確認されていません。別の人が登録した可能性があります。このリンクでサインインすると、次のものが削除されます。",
    password: "パスワード",
    accounts: "連携アカウント",
    passkeys: "パスキー",
    secondFactor: "2 段階認証",
    phoneNumber: "電話番号",
    rest: "ほかのすべてのデバイスからサインアウトされ、API キーは無効になります。",
    choose: "その後、別のメールから新しいパスワードを設定できます。",
    instead:
      "ご自身のアカウントで、パスワードをご存じですか。パスワードでサインインし、プロフィールでメールアドレスを確認してください。その場合は何も削除されません。",
    toSignIn: "パスワードでサインイン",
    button: "削除してサインイン",
  },
  signInElsewhere: {
    title: "別のブラウザーでこのリンクを開いてください",
    text: "このリンクは {app} の {email} のアカウントにサインインします。リンクをリクエストしたブラウザーでのみ使用できます。",
  },
  undo: {
    title: "メールアドレスの変更の取り消し",
    text: "{app} のアカウントのメールアドレスが {newEmail} から {email} に戻ります。すべてのデバイスからサインアウトされ、新しいパスワードを設定します。",
    button: "変更を取り消す",
  },
  verify: {
    title: "メールアドレスの確認",
    text: "{app} のアカウントのメールアドレス {email} を確認します。",
    button: "メールアドレスを確認",
  },
  verifyAndSignIn: {
    title: "メールアドレスの確認",
    text: "{app} のアカウントのメールアドレス {email} を確認します。また、このブラウザーでそのアカウントにサインインします。",
    button: "確認してサインイン",
  },
  verified: {
    title: "メールアドレスが確認されました",
    text: "このページを閉じてかまいません。",
  },
  deleted: {
    title: "アカウントが削除されました",
    text: "このページを閉じてかまいません。",
  },
  signedIn: {
    title: "サインインしました",
    text: "このページを閉じてかまいません。",
  },
  undone: {
    title: "メールアドレスが元に戻りました",
    text: "すべてのデバイスからサインアウトされました。新しいパスワードを設定するためのリンクをメールでお送りします。",
  },
  expired: {
    title: "このリンクは有効期限が切れています",
    text: "アプリケーションで新しいリンクをリクエストしてください。",
  },
  signedOut: {
    title: "先にサインインしてください",
    text: "このブラウザーでアカウントにサインインしてから、もう一度リンクを開いてください。",
  },
  notGood: {
    title: "このリンクは使用できません",
    text: "使用済みか、新しいリンクに置き換えられたか、不完全です。アプリケーションで新しいリンクをリクエストしてください。",
  },
};
