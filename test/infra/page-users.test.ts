import { describe, expect, test } from "vitest";
import { pageTemplates, resourcesOf } from "./synth.ts";

const { users } = pageTemplates();
const [[, pool] = []] = resourcesOf(users, "AWS::Cognito::UserPool");

describe("the users of the page", () => {
  test("are made by a person, each with a second factor that is an app, and a long password", () => {
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
    // No message is ever sent by telephone.
    expect(pool?.Properties).not.toHaveProperty("SmsConfiguration");
  });

  test("get a mail that says as whom they sign in, and where, if the page has a name of its own", () => {
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

  test("get back in by mail alone, and are known by a name in letters of either case", () => {
    expect(pool?.Properties).toMatchObject({
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: "verified_email", Priority: 1 }] },
      Schema: [{ Name: "email", Required: true, Mutable: true }],
      UsernameConfiguration: { CaseSensitive: false },
    });
    // Neither a mail address nor a telephone number stands for the name, by which groups and the history know them.
    expect(pool?.Properties).not.toHaveProperty("AliasAttributes");
    expect(pool?.Properties).not.toHaveProperty("UsernameAttributes");
  });

  test("outlive their stack, and keep their logical ids", () => {
    expect(pool?.Properties["DeletionProtection"]).toBe("ACTIVE");
    const held = resourcesOf(users).filter(([, { DeletionPolicy }]) => DeletionPolicy === "Retain");
    expect(Object.fromEntries(held.map(([id, { UpdateReplacePolicy }]) => [id, UpdateReplacePolicy]))).toEqual({
      Users0A0EEA89: "Retain",
      AllaccountantDF888156: "Retain",
      Alloperator424A7EA2: "Retain",
    });
  });
});
