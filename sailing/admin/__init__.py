"""Django admin: the site, and what the admin packages of the apps share."""
