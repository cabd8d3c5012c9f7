-- How a seller shows itself to payers: name, logo, where to get help, and the color of the button.

create table profiles (
  wallet_address text primary key,
  name           text check (char_length(name) between 1 and 80),
  support_url    text check (char_length(support_url) between 1 and 500),
  accent         text check (accent ~ '^#[0-9a-f]{6}$'),
  logo           bytea check (octet_length(logo) between 1 and 65536),
  logo_type      text check (logo_type in ('image/png', 'image/svg+xml')),
  -- A logo is served under its own hash, so that an address always shows the same picture.
  logo_hash      text generated always as (encode(sha256(logo), 'hex')) stored,
  updated_at     timestamptz not null,
  constraint logo_has_a_type check ((logo is null) = (logo_type is null))
);
create index profiles_by_logo on profiles (logo_hash) where logo_hash is not null;
create trigger names_a_person before insert on profiles for each row
  when (is_system_address(new.wallet_address)) execute function refuse_system_address();
