/** The answer to `--help`, and to a command that there is not. */
export const USAGE = `Usage: main.ts [command]

  start             run the service (without a command too)
  migrate [--dry-run] [--contract]
                    bring the database to the newest schema, and name what is applied; with --dry-run only name it,
                    with --contract apply also what no older version can run beside
  verify [--incremental] [--parallel <connections>] [--anchor <file or transaction>] [--archive <folder>]
         [--json]
                    check the books: hash chains, checkpoints, sums, counters, triggers, balances against the chain;
                    with --incremental from where they were last in order, without it all;
                    with --archive <folder> also the months that were put away there
  anchor [--file <path>] [--url <url>] [--chain] [--json]
                    write where the books stand to a file, to a URL, or to the chain
  alarms [--json]   what troubles the service, now and before
  alarms ack <id> --note <text>
                    write down that an alarm is known
  payouts [--json]  whether money may leave the treasury, and why not
  payouts release --note <text>
                    pay out again although custody is short: its size now is accepted
  payouts stop --note <text>
                    hold all payouts until they are released
  signing-keys [--json]
                    the keys that sign AP2 documents, and requests to sellers
  signing-keys rotate
                    from now on new keys sign; what the old ones signed stays good
  signing-keys revoke <kid>
                    believe nothing any more that this key signed
  merchants [--json]
                    the merchant categories that you assigned to wallets, and every change
  merchants set <wallet> <mcc> [--note <text>]
                    from now on the wallet is of this category, for cards with mcc_locks
  merchants remove <wallet> [--note <text>]
                    the wallet has no category any more
  plans [--json]    the tiers of the membership and what they cost
  plans set <tier> <period> <asset> <price> <quota> <overage>
                    sells a plan on these terms from now on; who is enrolled keeps the agreed price
  plans withdraw <tier> <period> <asset>
                    sells it no more
  fees [--json]     the fees that count for payments, and every change of them
  fees set <default, tier or wallet> <kind> <bps> [<flat>] [--note <text>]
                    from the next payment on; kind is settlement, payment, sale or direct_overage
  fees set <default, tier or wallet> <kind> none [--note <text>]
                    the rule is removed
  identities [--json]
                    which address of the service identity tokens name
  identities rename have every identity token that the vault keeps name PUBLIC_URL
  sales [--json]    sales on chain that a restored backup did not know
  sales find --since <time of the backup> [--json]
                    look for such sales, freeze their cards, and hand them over
  sales give <listing hash> --note <text>
                    the buyer gets the card, whoever has it here
  sales dismiss <listing hash> --note <text>
                    the card stays where it is
  first-key <wallet>
                    make an API key for a wallet that has never signed in, and print it as JSON
  backup <file> [--json]
                    write the database as it is now to a new file, while the service runs or not
  restore <file> [--replace] [--json]
                    fill an unused database from it; --replace moves the embedded one away first
  retention [--json]
                    what is kept, how long, and how much of it is over
  retention apply [--json]
                    delete now what is over, in small pieces; may be cut off and run again
  retention archive --month <2026-01> --to <folder> [--json]
                    put an old month of settlements away in a file; may be cut off and run again
  retention archive --month <2026-01> --dry-run [--json]
                    check the month and say what would be put away; change nothing
  retention export --month <2026-01> --archive <folder> [--of <id>] [--json]
                    the payments of a month that was put away, or those of one payment, card, wallet, link, agreement or
                    mandate, as CSV
  settings [--json]
                    how the settings here differ from those of the other machines
  settings accept [--secret-lost]
                    have every machine's start compared with the settings here
  secret [--json]   what the secrets of PURSER_SECRET have sealed, and which machines list them
  secret rotate [--dry-run] [--json]
                    seal everything by the first of them; may be cut off and run again
  doctor [--json]   check everything that the service needs`
