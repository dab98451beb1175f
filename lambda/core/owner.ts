/** Whose fills an archive holds: those of one trader at one address of the service. */
export interface Owner {
  /** The account host's address: origin and path, without a slash at its end. */
  readonly address: string;
  /** A hash that tells traders apart; null: the token does not say whose it is. */
  readonly subject: string | null;
}
