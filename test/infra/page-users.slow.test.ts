import { describe, expect, test } from "vitest";
import { pageTemplates, resourcesOf } from "./synth.ts";

const { users } = pageTemplates();
const [[, pool] = []] = resourcesOf(users, "AWS::Cognito::UserPool");

describe("the users of the page", () => {
  test("are created by a person, each with an app as second factor and a long password", () => {
    expect(pool?.Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      MfaConfiguration: "ON",
      EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
      Policies: {
        PasswordPolicy: {
          MinimumLength: 14,
          RequireLowercase: true,
          RequireUppercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
          TemporaryPasswordValidityDays: 3,
        },
      },
      UserPoolTier: "ESSENTIALS",
    });
    // No text message is ever sent.
    expect(pool?.Properties).not.toHaveProperty("SmsConfiguration");
  });

  test("get a mail with their user name, and with the address if the page has its own domain", () => {
    const mail = (settings: Readonly<Record<string, string>>) => {
      const [[, one] = []] = resourcesOf(pageTemplates(settings).users, "AWS::Cognito::UserPool");
      const config = one?.Properties["AdminCreateUserConfig"] as {
        readonly InviteMessageTemplate: { readonly EmailMessage: string };
      };
      return config.InviteMessageTemplate.EmailMessage;
    };
    const certificate = "arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d";
    expect(mail({ pageDomain: "books.example.com", pageCertificate: certificate })).toMatch(
      /^Sign in at https:\/\/books\.example\.com as \{username\} with the first password \{####\}\. It is valid for 3 days/,
    );
    expect(mail({})).toMatch(
      /^Sign in at the address that you will receive as \{username\} with the first password \{####\}/,
    );
  });

  test("recover their account only by mail, and have names that ignore upper and lower case", () => {
    expect(pool?.Properties).toMatchObject({
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: "verified_email", Priority: 1 }] },
      Schema: [{ Name: "email", Required: true, Mutable: true }],
      UsernameConfiguration: { CaseSensitive: false },
    });
    // A mail address or telephone number cannot replace the user name, because groups and the history use the
    // name.
    expect(pool?.Properties).not.toHaveProperty("AliasAttributes");
    expect(pool?.Properties).not.toHaveProperty("UsernameAttributes");
  });

  test("are kept when their stack is deleted, and keep their logical ids", () => {
    expect(pool?.Properties["DeletionProtection"]).toBe("ACTIVE");
    const held = resourcesOf(users).filter(([, { DeletionPolicy }]) => DeletionPolicy === "Retain");
    expect(Object.fromEntries(held.map(([id, { UpdateReplacePolicy }]) => [id, UpdateReplacePolicy]))).toEqual({
      Users0A0EEA89: "Retain",
      AllaccountantDF888156: "Retain",
      Alloperator424A7EA2: "Retain",
    });
  });
});
